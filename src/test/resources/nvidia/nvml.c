// Plays NVML for tests: a server with one GPU that answers everything and one that forbids its power, or, with -DORIN,
// a Jetson Orin's: it starts, counts one GPU, and supports nothing; with -DNO_DRIVER it does not start.
#include <stdio.h>
#include <string.h>

enum { OK = 0, NOT_SUPPORTED = 3, NO_PERMISSION = 4, DRIVER_NOT_LOADED = 9 };

typedef struct {
  char legacy[16];
  unsigned domain, bus, device, id, subsystem;
  char text[32];
} pci_info;

static int started;
static char gpus[2];

#ifdef ORIN
#define ANSWER(pointer, value) ((void)(value), NOT_SUPPORTED)
#else
#define ANSWER(pointer, value) (*(pointer) = (value), OK)
#endif

const char* nvmlErrorString(int code) {
  switch (code) {
    case NOT_SUPPORTED: return "Not Supported";
    case NO_PERMISSION: return "Insufficient Permissions";
    case DRIVER_NOT_LOADED: return "Driver Not Loaded";
    default: return "Uninitialized";
  }
}

int nvmlInit_v2(void) {
#ifdef NO_DRIVER
  return DRIVER_NOT_LOADED;
#endif
  started = 1;
  return OK;
}

int nvmlSystemGetNVMLVersion(char* text, unsigned size) { return snprintf(text, size, "12.535.104.05"), OK; }
int nvmlSystemGetDriverVersion(char* text, unsigned size) { return snprintf(text, size, "535.104.05"), OK; }

int nvmlDeviceGetCount_v2(unsigned* count) {
#ifdef ORIN
  *count = 1;
#else
  *count = 2;
#endif
  return started ? OK : 1;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned i, void** device) { return *device = &gpus[i], OK; }

#ifdef ORIN
int nvmlDeviceGetName(void* d, char* text, unsigned size) { return NOT_SUPPORTED; }
#else
int nvmlDeviceGetName(void* d, char* text, unsigned size) { return snprintf(text, size, "NVIDIA A100-SXM4-80GB"), OK; }
#endif

int nvmlDeviceGetPciInfo_v3(void* d, pci_info* pci) {
  pci->domain = 0, pci->bus = d == gpus ? 0x3b : 0xaf;
  return ANSWER(&pci->device, 0);
}
int nvmlDeviceGetMemoryInfo(void* d, unsigned long long* memory) {
  memory[2] = 2147483648;
  return ANSWER(memory, 85899345920);
}
int nvmlDeviceGetUtilizationRates(void* d, unsigned* use) { return ANSWER(use, 97); }
int nvmlDeviceGetTotalEnergyConsumption(void* d, unsigned long long* mj) { return ANSWER(mj, 5000000000123); }
int nvmlDeviceGetPowerUsage(void* d, unsigned* mw) { return d == gpus ? ANSWER(mw, 312500) : NO_PERMISSION; }
int nvmlDeviceGetEnforcedPowerLimit(void* d, unsigned* mw) { return ANSWER(mw, 400000); }
int nvmlDeviceGetClockInfo(void* d, int type, unsigned* mhz) { return ANSWER(mhz, type == 1 ? 1275 : 1593); }
int nvmlDeviceGetMaxClockInfo(void* d, int type, unsigned* mhz) { return ANSWER(mhz, type == 1 ? 1410 : 1593); }
int nvmlDeviceGetTemperature(void* d, int sensor, unsigned* c) { return sensor ? 2 : ANSWER(c, 64); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void* d, unsigned long long* bits) { return ANSWER(bits, 0x24); }
int nvmlDeviceGetMaxPcieLinkGeneration(void* d, unsigned* n) { return ANSWER(n, 4); }
// No nvmlDeviceGetMaxPcieLinkWidth: as a driver that lacks one of the functions.

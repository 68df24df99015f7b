// Plays CUDA's runtime for tests: one integrated GPU, or, with -DNO_DEVICE, none.
#include <stddef.h>
#include <string.h>

enum { OK = 0, NO_DEVICE_CODE = 100, NOT_SUPPORTED = 801 };

const char* cudaGetErrorString(int code) {
  return code == NO_DEVICE_CODE ? "no CUDA-capable device is detected" : "operation not supported";
}

int cudaRuntimeGetVersion(int* version) { return *version = 12060, OK; }

int cudaDriverGetVersion(int* version) {
#ifdef NO_DEVICE
  return *version = 0, OK;  // as where no driver is installed
#else
  return *version = 12080, OK;
#endif
}

int cudaGetDeviceCount(int* count) {
#ifdef NO_DEVICE
  return NO_DEVICE_CODE;
#else
  return *count = 1, OK;
#endif
}

// cudaDeviceProp as CUDA 12 has it, as far as it is read: name[256], uuid[16], luid[8], a mask, then the memory's size.
int cudaGetDeviceProperties_v2(char* properties, int device) {
  size_t memory = 65890271232;
  strcpy(properties, "Orin");
  memcpy(properties + 288, &memory, sizeof memory);
  return OK;
}

int cudaDeviceGetPCIBusId(char* text, int size, int device) { return strncpy(text, "0000:00:00.0", size), OK; }

int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  switch (attribute) {
    case 75: return *value = 8, OK;         // compute capability, major
    case 76: return *value = 7, OK;         // minor
    case 16: return *value = 16, OK;        // multiprocessors
    case 13: return *value = 1300000, OK;   // kHz
    case 18: return *value = 1, OK;         // integrated
    case 37: return *value = 256, OK;       // bits
    case 38: return *value = 4194304, OK;   // bytes
    default: return NOT_SUPPORTED;
  }
}

int cudaGetDevice(int* device) { return *device = 0, OK; }
int cudaMemGetInfo(size_t* free, size_t* total) { return *free = 3221225472, *total = 65890271232, OK; }
int cudaGetLastError(void) { return OK; }

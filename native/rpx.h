// All that the Java binding sees of native code. No LibTorch header may be included here.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace rpx {

// what() is "CODE: text". Codes: MODEL_FORMAT, MODEL_LOAD, INPUT, OUT_OF_MEMORY, DEVICE, UNSUPPORTED, INTERNAL.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What native code hands to Java: a run of numbers, and the strings that some of them index (joined by '\n').
// The layouts are in docs/native.md and are read by the trace room.
class Record {
 public:
  const int64_t* numbers() const { return numbers_.data(); }
  int64_t size() const { return static_cast<int64_t>(numbers_.size()); }
  const char* text() const { return text_.data(); }

  std::vector<int64_t> numbers_;
  // Ends in a NUL. No std::string: the binding may be compiled for another C++ ABI than LibTorch was.
  std::vector<char> text_{'\0'};
};

// A model on a device, with its inputs. One thread at a time. Every member throws Error.
class Session {
 public:
  // Loads a TorchScript file in evaluation mode; device as device() tells it ("cpu", "cuda:0").
  Session(const char* path, const char* device);
  // A torch.export program as Java lays it out (layout "program"); its weights come from the archive at path.
  Session(const char* path, const char* device, const int64_t* numbers, int64_t size, const char* text);
  // The model of that name in an archive with an AOTInductor package, whose weights lie in a file of their own where
  // weights is true. Native code: it runs as it loads. LibTorch unpacks it to a temporary folder, which is left there where
  // loading fails. The archive may be removed afterwards.
  Session(const char* archive, const char* device, const char* model, bool weights);
  ~Session();
  Session(const Session&) = delete;

  // forward's arguments: three strings each (name, type, "required" or "default"); no numbers. An AOTInductor package
  // names none, and has one for each tensor.
  void signature(Record* out) const;
  // Parameters, buffers and graph constants (record layout "weights").
  void weights(Record* out) const;
  // Casts floating-point weights, and the floating-point inputs set after this, to a dtype ("float16").
  void cast(const char* dtype);
  // Makes the inputs (layout "inputs"), in memory of their own.
  void inputs(const int64_t* numbers, int64_t size, const char* text, int64_t seed);
  // The tensors of the inputs, or of the last run()'s outputs (layout "tensors"): path, why it
  // cannot be read ("" where it can), address of its packed memory, bytes. Valid until the next inputs(), run(), time() or tensors(). Copies where they are on a device.
  void tensors(bool outputs, Record* out);
  // Threads of the operator pool (OpenMP) and of the BLAS for this session's runs; 0 leaves a pool as it is.
  void threads(int operators, int blas);

  // One forward, to its end on the device; its duration in nanoseconds.
  int64_t run();
  // For a control loop: the inputs, or the outputs of the last run(), lie in the caller's memory from now on: n addresses,
  // one for each of tensors() in its order, aligned to 64, until the session is deleted or bound again.
  void bind(bool outputs, const int64_t* addresses, int64_t n);
  // One forward from the bound inputs into the bound outputs; the clock is not read. An output of another shape than the
  // bound one is UNSUPPORTED; then no output is written. On a device it is waited for.
  void step();
  // The same, on a device not waited for: ready() tells when it is done. On the CPU it is done.
  void enqueue();
  bool ready();
  // Loads again if a forward changed the model.
  void restore();
  // One forward with the hook on, optimisation off (layout "trace").
  void trace(Record* out);
  // Up to n forwards, until limit_ns have passed or cancel() is called: each one's start since the first and its
  // duration, in nanoseconds. *done is updated after each, for a watching thread. Returns how many ran.
  // Without device_ns each forward is waited for. With it (n numbers, not on the CPU) none is: the duration is that of
  // the host's work, and device_ns what passed between two events on the device's stream.
  int64_t time(int64_t* start_ns, int64_t* duration_ns, int64_t* device_ns, int64_t n, int64_t limit_ns, volatile int64_t* done);
  // What time() does between its forwards from now on, outside their timed spans. With a period above 0 the i-th one is
  // released i periods after the first, by an absolute schedule, and starts no earlier; with flush_bytes above 0 that
  // many are written over before each, to empty the caches.
  void between(int64_t period_ns, int64_t flush_bytes);
  // What that loop measures of a forward that does nothing: the median of many, in nanoseconds.
  int64_t timer_floor();
  // On a device: what its events measure with nothing between them, and how long the copies of the inputs to it and of
  // the last run()'s outputs from it take (layout "transfers"). Nothing on the CPU.
  void transfers(int64_t rounds, Record* out);
  // Bytes of tensors allocated at the worst moment of one forward, above what was allocated before it.
  int64_t tensor_peak();
  // From any thread: ends a time() that is running, after its current forward.
  void cancel();

 private:
  struct State;
  State* state;
};

// Host memory that a device copies from and to without a stop in between (pinned), where it can pin.
class Memory {
 public:
  Memory(const char* device, int64_t bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  int64_t address() const;

 private:
  void* block;
};

// A ring of pairs of timing events on a device's current stream. Throws UNSUPPORTED where the device has none.
class Pairs {
 public:
  Pairs(const char* device, int n);
  ~Pairs();
  Pairs(const Pairs&) = delete;
  // At most n pairs may be uncollected: the caller counts.
  void start();
  void end();
  // Nanoseconds between the events of the oldest pair; -1 where the device has not come to its end. Does not wait.
  int64_t collect();

 private:
  struct State;
  State* state;
};

// Loads a library of custom ops, which registers them. Native code: it runs as it loads. It stays loaded.
void operators(const char* path);
// The device of a name, proven by a kernel: "device\tcuda:0"; of "auto" on the CPU, "reason\t…" too. Throws DEVICE.
void device(const char* name, Record* out);
// What a device's allocator and driver say of its memory, once it has run all that was enqueued: "key\tbytes" lines. With
// reset, peaks are counted from here on. The device as device() tells it.
void memory(const char* device, bool reset, Record* out);
// From now on a CPU tensor that would take this process more than this many bytes above its present memory is refused
// with OUT_OF_MEMORY before it is touched; -1 ends that. Not for timed runs.
void host_room(int64_t bytes);
// LibTorch's version, build and thread pools: "key\tvalue" lines.
void library(Record* out);
// What NVIDIA's management library says of the GPUs, and what CUDA's runtime does: "key\tstate\tvalue" lines, of which
// the state is ok, unsupported, denied or failed, and the value a reason where it is not ok. Libraries by file name;
// the runtime's may be "": the one that LibTorch has brought in.
void nvml(const char* library, Record* out);
void cudart(const char* library, Record* out);
// Lets every thread of this process, and those to come, run on these CPUs only. Throws UNSUPPORTED, DEVICE.
void pin(const int64_t* cpus, int64_t n);
// Resident-set high water of this process in bytes; -1 where the platform has none.
int64_t resident_peak();
// Sets the high water back to the present resident size; false where the platform cannot.
bool reset_resident_peak();

// Ends the process at once. LibTorch's destructors take a tenth of a second, and must not run beside a forward.
[[noreturn]] void leave(int code);

}  // namespace rpx

// Memory of the host: the process's high water by the kernel, and the room that there is for more.
#include <c10/core/Allocator.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "session.h"

namespace rpx {

namespace {

// Memory of this process that no file could give back; 0 where the platform does not tell.
int64_t anonymous() {
  long pages = 0, shared = 0;
  if (FILE* statm = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(statm, "%*d %ld %ld", &pages, &shared) != 2) pages = shared = 0;
    std::fclose(statm);
  }
  return (pages - shared) * sysconf(_SC_PAGESIZE);
}

// Asks before it hands out: the kernel hands out memory that it has not, and ends the process where that is written to.
class Limited final : public c10::Allocator {
 public:
  explicit Limited(c10::Allocator* base) : base(base) {}

  c10::DataPtr allocate(size_t n) override {
    constexpr size_t kLarge = 1 << 20;  // smaller ones end up in memory that is there already
    if (int64_t most = mark; n >= kLarge && most >= 0) {
      int64_t left = std::max<int64_t>(0, most - anonymous());
      TORCH_CHECK_WITH(OutOfMemoryError, static_cast<int64_t>(n) <= left, "not enough memory: a tensor of ", n, " bytes is wanted, ", left,
                       " bytes are available");
    }
    return base->allocate(n);
  }
  c10::DeleterFnPtr raw_deleter() const override { return base->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t n) const override { base->copy_data(to, from, n); }

  c10::Allocator* const base;
  std::atomic<int64_t> mark{-1};  // anonymous() may reach this
};

}  // namespace

void host_room(int64_t bytes) {
  guard("INTERNAL", [&] {
    // Never destroyed: tensors that it handed out free their memory by the allocator below it.
    static auto* limited = new Limited(c10::GetAllocator(c10::kCPU));
    limited->mark = bytes < 0 ? -1 : anonymous() + bytes;
    c10::SetAllocator(c10::kCPU, bytes < 0 ? limited->base : limited);
  });
}

int64_t resident_peak() {
#ifdef __linux__
  int64_t kib = -1;
  if (FILE* status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status))
      if (std::sscanf(line, "VmHWM: %ld kB", &kib) == 1) break;
    std::fclose(status);
  }
  return kib < 0 ? -1 : kib * 1024;
#else
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) ? -1 : usage.ru_maxrss;  // bytes on macOS
#endif
}

bool reset_resident_peak() {
  FILE* refs = std::fopen("/proc/self/clear_refs", "w");
  if (!refs) return false;
  bool written = std::fputs("5", refs) >= 0;
  return std::fclose(refs) == 0 && written;
}

}  // namespace rpx

#include <algorithm>
#include <set>

#include "error.h"

#ifdef __linux__
#include <dirent.h>
#include <sched.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#endif

namespace rpx {

#ifdef __linux__
namespace {

struct Mask {
  explicit Mask(int64_t cpus) : bytes(CPU_ALLOC_SIZE(cpus)), set(CPU_ALLOC(cpus)) {
    if (!set) throw std::bad_alloc();
    CPU_ZERO_S(bytes, set);
  }
  ~Mask() { CPU_FREE(set); }
  Mask(const Mask&) = delete;

  const size_t bytes;
  cpu_set_t* const set;
};

// The threads that are there now and were not pinned before.
bool pin_new(const Mask& mask, std::set<pid_t>& pinned) {
  DIR* tasks = opendir("/proc/self/task");
  if (!tasks) fail("UNSUPPORTED", "CPUs cannot be pinned: /proc/self/task cannot be read");
  int failed = 0;
  bool any = false;
  while (dirent* entry = readdir(tasks)) {
    auto task = static_cast<pid_t>(std::atoi(entry->d_name));
    if (task == 0 || !pinned.insert(task).second) continue;
    any = true;
    // One that has ended meanwhile is no failure.
    if (sched_setaffinity(task, mask.bytes, mask.set) && errno != ESRCH) failed = errno;
  }
  closedir(tasks);
  if (failed) fail("DEVICE", std::string("the CPUs cannot be pinned: ") + std::strerror(failed));
  return any;
}

}  // namespace
#endif

void pin(const int64_t* cpus, int64_t n) {
  guard("INTERNAL", [&] {
#ifdef __linux__
    int64_t most = 0;
    for (int64_t i = 0; i < n; i++) most = std::max(most, cpus[i]);
    Mask mask(most + 1);
    for (int64_t i = 0; i < n; i++) CPU_SET_S(cpus[i], mask.bytes, mask.set);
    // A thread takes the CPUs of the one that makes it: once no new one is found, none is left that may run elsewhere.
    std::set<pid_t> pinned;
    while (pin_new(mask, pinned)) {
    }
#else
    fail("UNSUPPORTED", "this system does not let a process choose its CPUs");
#endif
  });
}

}  // namespace rpx

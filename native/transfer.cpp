// What surrounds a forward on a device: copies to it and from it, the resolution of its events, its memory.
#include <ATen/ops/empty_like.h>
#include <c10/core/InferenceMode.h>

#include <chrono>
#include <optional>

#include "session.h"

namespace rpx {

namespace {

// Nanoseconds of something on a device: by events where it has them, else by the host's clock up to its end.
struct Stopwatch {
  explicit Stopwatch(c10::Device device) : device(device) {
    try {
      events.emplace(device);
    } catch (const std::exception& e) {
      reason = complaint(e.what());
    }
  }

  template <class F>
  int64_t time(F f) {
    synchronize(device);
    auto start = std::chrono::steady_clock::now();
    if (events) events->start();
    f();
    if (events) {
      events->end();
      return events->collect();
    }
    synchronize(device);
    return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
  }

  const c10::Device device;
  std::optional<Events> events;
  std::string reason;
};

std::vector<at::Tensor> tensors_on(c10::Device device, const std::vector<c10::IValue>& values) {
  std::vector<at::Tensor> all;
  for (auto& value : values)
    each_tensor(value, "", [&](const at::Tensor& t, const std::string&) {
      if (t.device() == device && dense(t)) all.push_back(plain(t));
    });
  return all;
}

}  // namespace

// To the end: string name, string reason ("" where there are figures), bytes, n, n x nanoseconds.
void Session::transfers(int64_t rounds, Record* out) {
  state->guarded("INTERNAL", [&] {
    Columns columns(*out, state->storages);
    auto device = state->device;
    if (device.is_cpu()) return columns.finish();
    c10::InferenceMode inference;
    Stopwatch watch(device);
    auto write = [&](const char* name, const std::string& reason, int64_t bytes, const std::function<void()>& what) {
      columns.string(name);
      columns.string(reason);
      columns.number(bytes);
      columns.number(reason.empty() ? rounds : 0);
      if (!reason.empty()) return;
      what();  // the first one pays for what is made once
      for (int64_t i = 0; i < rounds; i++) columns.number(watch.time(what));
    };
    write("floor", watch.reason, 0, [] {});

    // Host copies of the same content, and where they go.
    auto copies = [&](const char* direction, const std::vector<at::Tensor>& there, bool to_device) {
      int64_t bytes = 0;
      std::vector<at::Tensor> pageable, pinned, targets;
      std::string unpinned;
      for (auto& t : there) {
        bytes += static_cast<int64_t>(t.nbytes());
        pageable.push_back(t.cpu());
        if (to_device) targets.push_back(at::empty_like(t));
        try {
          pinned.push_back(pageable.back().pin_memory());
        } catch (const std::exception& e) {
          if (unpinned.empty()) unpinned = "no pinned memory: " + complaint(e.what());
        }
      }
      auto copy = [&](std::vector<at::Tensor>& host) {
        for (size_t i = 0; i < there.size(); i++) {
          if (to_device) targets[i].copy_(host[i], true);
          else host[i].copy_(there[i], true);
        }
      };
      auto name = std::string(direction);
      write((name + "_pinned").c_str(), there.empty() ? "no tensor" : unpinned, bytes, [&] { copy(pinned); });
      write((name + "_pageable").c_str(), there.empty() ? "no tensor" : "", bytes, [&] { copy(pageable); });
    };
    copies("h2d", tensors_on(device, state->inputs), true);
    copies("d2h", tensors_on(device, state->outputs), false);
    synchronize(device);
    columns.finish();
  });
}

void memory(const char* name, bool reset, Record* out) {
  guard("INTERNAL", [&] {
    c10::Device device(name);
    synchronize(device);
    if (reset) reset_device_peaks(device);
    auto memory = device_memory(device);
    Storages none;
    Columns columns(*out, none);
    auto line = [&](const char* key, int64_t bytes) {
      if (bytes >= 0) columns.string(std::string(key) + "\t" + std::to_string(bytes));
    };
    line("allocated", memory.allocated);
    line("allocated_peak", memory.allocated_peak);
    line("reserved", memory.reserved);
    line("reserved_peak", memory.reserved_peak);
    line("free", memory.free);
    line("total", memory.total);
    columns.finish();
  });
}

void device(const char* name, Record* out) {
  guard("DEVICE", [&] {
    std::string why;
    auto found = find_device(name, &why);
    Storages none;
    Columns columns(*out, none);
    columns.string("device\t" + found.str());
    if (!why.empty()) columns.string("reason\t" + why);
    columns.finish();
  });
}

}  // namespace rpx

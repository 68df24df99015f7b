// The facade without a JVM. usage: session_test MODELS, the folder of the tests' model files.
#include "../rpx.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "check.h"

using rpx::Error;
using rpx::Record;
using rpx::Session;

static std::string models;

// Layout "inputs": one float32 tensor.
static void give(Session& session, const std::vector<int64_t>& shape) {
  std::vector<int64_t> numbers{0, 1, static_cast<int64_t>(shape.size())};
  numbers.insert(numbers.end(), shape.begin(), shape.end());
  session.inputs(numbers.data(), static_cast<int64_t>(numbers.size()), "tensor\nfloat32", 0);
}

template <class F>
static std::string failure(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

static bool starts(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

static float first_output(Session& session) {
  Record record;
  session.tensors(true, &record);
  return *reinterpret_cast<const float*>(record.numbers()[3]);  // path, reason, address, ...; numbers[0] is the tensors' place
}

// Reads the memory of the only input.
static std::vector<float> input(Session& session, size_t n) {
  Record record;
  session.tensors(false, &record);
  auto* at = reinterpret_cast<const float*>(record.numbers()[3]);
  return std::vector<float>(at, at + n);
}

static void inputs_hold_what_is_said() {
  Session session((models + "/identity.pt").c_str(), "cpu");
  // 0x4004000000000000 is 2.5.
  int64_t fill[] = {0, 1, 1, 2, 0x4004000000000000};
  session.inputs(fill, 5, "fill\nfloat32", 0);
  CHECK((input(session, 2) == std::vector<float>{2.5f, 2.5f}));

  std::vector<float> data{1, -2, 3};
  int64_t given[] = {0, 1, 1, 3, reinterpret_cast<int64_t>(data.data()), 12};
  session.inputs(given, 6, "data\nfloat32", 0);
  data = {0, 0, 0};
  CHECK((input(session, 3) == std::vector<float>{1, -2, 3}));

  given[5] = 8;
  CHECK(starts(failure([&] { session.inputs(given, 6, "data\nfloat32", 0); }), "INTERNAL"));
  int64_t range[] = {0, 1, 1, 3, 5, 5};
  CHECK(starts(failure([&] { session.inputs(range, 6, "range\nint64", 0); }), "INPUT"));
  CHECK(starts(failure([&] { session.inputs(range, 5, "range\nint64", 0); }), "INTERNAL"));
}

static void counts_and_changes_nothing() {
  Session session((models + "/stateful.pt").c_str(), "cpu");
  give(session, {1, 4});
  session.threads(1, 1);
  Record one, two;
  session.trace(&one);
  session.trace(&two);
  CHECK(std::vector<int64_t>(one.numbers(), one.numbers() + one.size()) ==
        std::vector<int64_t>(two.numbers(), two.numbers() + two.size()));
  CHECK(std::string(one.text()) == two.text());
  CHECK(std::string(one.text()).find("aten::linear") != std::string::npos);
  session.tensor_peak();
  // The n-th forward gives n times the first: none has counted so far.
  session.run();
  float first = first_output(session);
  session.run();
  CHECK(first != 0);
  float twice = first_output(session) / first;
  CHECK(twice > 1.999f && twice < 2.001f);
}

static void times() {
  Session session((models + "/identity.pt").c_str(), "cpu");
  give(session, {2, 3});
  std::vector<int64_t> start(50), duration(50);
  volatile int64_t done = 0;
  CHECK(session.time(start.data(), duration.data(), nullptr, 50, INT64_MAX, &done) == 50);
  CHECK(done == 50);
  CHECK(start[0] >= 0);
  for (int i = 0; i < 50; i++) {
    CHECK(duration[i] > 0);
    if (i) CHECK(start[i] >= start[i - 1] + duration[i - 1]);
  }
  CHECK(session.time(start.data(), duration.data(), nullptr, 50, 1, &done) == 1);  // the limit is past after the first
  session.cancel();
  CHECK(session.time(start.data(), duration.data(), nullptr, 50, INT64_MAX, &done) == 0);
}

static void releases_on_a_schedule() {
  constexpr int64_t kPeriod = 2'000'000;
  Session session((models + "/identity.pt").c_str(), "cpu");
  give(session, {2, 3});
  std::vector<int64_t> start(20), duration(20);
  volatile int64_t done = 0;
  session.between(kPeriod, 0);
  CHECK(session.time(start.data(), duration.data(), nullptr, 20, INT64_MAX, &done) == 20);
  for (int i = 0; i < 20; i++) CHECK(start[i] >= i * kPeriod);
  CHECK(session.time(start.data(), duration.data(), nullptr, 20, 5 * kPeriod, &done) <= 6);
  // Back to back again: a run cannot start late by what it does not wait for.
  session.between(0, 1 << 20);
  CHECK(session.time(start.data(), duration.data(), nullptr, 20, INT64_MAX, &done) == 20);
  session.between(0, 0);
  CHECK(session.time(start.data(), duration.data(), nullptr, 20, INT64_MAX, &done) == 20);
  CHECK(starts(failure([&] { session.between(-1, 0); }), "INTERNAL: "));

  session.threads(1, 1);
  int64_t floor = session.timer_floor();
  CHECK(session.time(start.data(), duration.data(), nullptr, 20, INT64_MAX, &done) == 20);
  std::sort(duration.begin(), duration.end());
  CHECK(floor >= 0 && floor < duration[10]);

  session.between(INT64_C(60'000'000'000), 0);
  std::thread canceller([&] {
    while (done != 1) std::this_thread::yield();
    session.cancel();
  });
  done = 0;
  CHECK(session.time(start.data(), duration.data(), nullptr, 2, INT64_MAX, &done) == 1);  // no run before its time
  canceller.join();
}

#ifdef __linux__
// The CPUs of the thread that asks, as the kernel writes them.
static std::string allowed() {
  std::ifstream status("/proc/thread-self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("Cpus_allowed_list:\t", 0) == 0) return line.substr(19);
  return "";
}

static void pins_every_thread() {
  int64_t first = std::atoi(allowed().c_str());
  std::atomic<bool> pinned{false};
  std::string other;
  std::thread there([&] {
    while (!pinned) std::this_thread::yield();
    other = allowed();
  });
  rpx::pin(&first, 1);
  pinned = true;
  there.join();
  CHECK(allowed() == std::to_string(first));
  CHECK(other == std::to_string(first));
  int64_t nowhere = 100'000;
  CHECK(starts(failure([&] { rpx::pin(&nowhere, 1); }), "DEVICE: "));
}
#endif

static void fails_with_codes() {
  CHECK(starts(failure([] { Session("no/such/file.pt", "cpu"); }), "MODEL_LOAD: "));
  CHECK(starts(failure([] { Session((models + "/identity.pt").c_str(), "nonsense"); }), "DEVICE: "));
  Session session((models + "/two_inputs.pt").c_str(), "cpu");
  give(session, {2, 8});
  std::string missing = failure([&] { session.run(); });
  CHECK(starts(missing, "INPUT: "));
  CHECK(missing.find('\n') == std::string::npos);
  std::vector<int64_t> cut{0, 1, 4, 2};
  CHECK(starts(failure([&] { session.inputs(cut.data(), 4, "tensor\nfloat32", 0); }), "INTERNAL: "));
  std::vector<int64_t> huge{0, 1, 2, int64_t{1} << 40, int64_t{1} << 10};
  std::string much = failure([&] { session.inputs(huge.data(), 5, "tensor\nfloat32", 0); });
  CHECK(starts(much, "OUT_OF_MEMORY: ") || starts(much, "INPUT: "));
}

static void knows_memory() {
  int64_t before = rpx::resident_peak();
  CHECK(before > 0);
#ifdef __linux__
  { std::vector<char> block(256 << 20, 1); }
  CHECK(rpx::resident_peak() >= before + (200 << 20));
  if (rpx::reset_resident_peak()) CHECK(rpx::resident_peak() < before + (200 << 20));
#endif
}

int main(int, char** arguments) {
  models = arguments[1];
  inputs_hold_what_is_said();
  counts_and_changes_nothing();
  times();
  releases_on_a_schedule();
  fails_with_codes();
  knows_memory();
#ifdef __linux__
  pins_every_thread();  // last: it stays so
#endif
}

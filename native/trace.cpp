// The hook that sees each op as the program wrote it, on every device, once.
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/library.h>

#include <cstring>
#include <mutex>

#include "session.h"

namespace rpx {

namespace {

constexpr auto kKey = c10::DispatchKey::TESTING_ONLY_GenericMode;  // on top of the dispatcher's stack of keys

// Values as numbers: a kind, then what belongs to it (layout "trace").
enum Kind { kNone, kTensor, kInt, kDouble, kBool, kList, kString, kOther };

struct Recorder {
  Columns columns;
  std::mutex lock;  // ops of forked tasks come from other threads

  void value(const c10::IValue& v) {
    if (v.isNone() || (v.isTensor() && !v.toTensor().defined())) {
      columns.number(kNone);
    } else if (v.isTensor() && v.toTensor().unsafeGetTensorImpl()->is_wrapped_number()) {
      value(v.toTensor().item());  // "mul(x, 2)": the program wrote a number
    } else if (v.isTensor() && v.toTensor().is_nested()) {
      columns.number(kOther);  // has no one shape
      columns.string("NestedTensor");
    } else if (v.isTensor()) {
      columns.number(kTensor);
      columns.tensor(v.toTensor());
    } else if (v.isInt()) {
      columns.number(kInt);
      columns.number(v.toInt());
    } else if (v.isDouble()) {
      double d = v.toDouble();
      int64_t bits;
      std::memcpy(&bits, &d, sizeof bits);
      columns.number(kDouble);
      columns.number(bits);
    } else if (v.isBool()) {
      columns.number(kBool);
      columns.number(v.toBool());
    } else if (v.isList()) {
      auto items = v.toListRef();
      columns.number(kList);
      columns.number(items.size());
      for (const auto& item : items) value(item);
    } else if (v.isTuple()) {
      columns.number(kList);
      columns.number(v.toTupleRef().elements().size());
      for (const auto& item : v.toTupleRef().elements()) value(item);
    } else if (v.isGenericDict()) {
      auto dict = v.toGenericDict();
      columns.number(kList);
      columns.number(dict.size());
      for (const auto& entry : dict) value(entry.value());
    } else if (v.isString()) {
      columns.number(kString);
      columns.string(v.toStringRef());
    } else if (auto packed = unpacked(v); !packed.empty()) {
      columns.number(kList);
      columns.number(packed.size());
      for (const auto& t : packed) value(t);
    } else {
      columns.number(kOther);
      columns.string(v.tagKind());
    }
  }

  void values(at::ArrayRef<c10::IValue> all) {
    columns.number(all.size());
    for (const auto& v : all) value(v);
  }
};

std::mutex one_trace;  // the hook writes to one recorder
Recorder* recorder = nullptr;

void hook(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
  c10::impl::ExcludeDispatchKeyGuard inside(kKey);  // what the op itself calls is part of it
  if (!recorder) return op.callBoxed(stack);
  const auto& schema = op.schema();
  torch::jit::Stack given;
  for (const auto& v : torch::jit::last(*stack, schema.arguments().size())) given.push_back(v);
  // Known on the interpreter's own thread, where this is called.
  std::string modules;
  for (const auto& frame : torch::jit::currentModuleHierarchy()) modules += (modules.empty() ? "" : "\t") + frame;
  op.callBoxed(stack);
  std::lock_guard<std::mutex> hold(recorder->lock);
  recorder->columns.string(schema.name());
  recorder->columns.string(schema.overload_name());
  recorder->columns.string(modules);
  recorder->values(given);
  recorder->values(torch::jit::last(*stack, schema.returns().size()));
}

}  // namespace

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&hook>()); }

void Session::trace(Record* out) {
  std::lock_guard<std::mutex> hold(one_trace);
  state->restore();
  state->guarded("INPUT", [&] {
    // The weights' storages keep their numbers; those of one forward are counted from there, the same each time.
    Storages storages = state->storages;
    Recorder recording{Columns(*out, storages), {}};
    struct Recording {
      explicit Recording(Recorder* r) { recorder = r; }
      ~Recording() { recorder = nullptr; }
    } on(&recording);
    recording.columns.number(0);  // the ops' end, known below
    size_t first = out->numbers_.size();
    c10::IValue result;
    state->apply_threads();
    c10::InferenceMode inference;
    state->model->reset(state->inputs);  // no part of what the program does
    {
      c10::impl::IncludeDispatchKeyGuard in(kKey);
      // The executor's passes merge equal subexpressions and dispatch work of their own.
      torch::jit::GraphOptimizerEnabledGuard off(false);
      result = state->model->forward(state->inputs);
      synchronize(state->device);
    }
    out->numbers_[first - 1] = out->size();
    recording.values(state->inputs);
    recording.value(result);
    recording.columns.finish();
  });
  state->restore();
}

}  // namespace rpx

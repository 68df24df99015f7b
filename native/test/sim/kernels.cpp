// Kernels: allocation, copies and views of its own; everything else on the CPU, with the known delay.
#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/autocast_mode.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/convolution_overrideable.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include "sim.h"

namespace sim {

namespace {

using at::Tensor;

const c10::DispatchKeySet keys(c10::DispatchKey::PrivateUse1);

// The same memory as a CPU tensor: it is the host's in truth.
Tensor on_cpu(const Tensor& t) {
  auto same = at::from_blob(
      t.storage().mutable_data(), t.sizes(), t.strides(), t.storage_offset(), [k = t](void*) {}, t.options().device(at::kCPU), at::kCPU);
  same._set_conj(t.is_conj());
  same._set_neg(t.is_neg());
  return same;
}

void kernel() {
  auto& c = control();
  c.kernels++;
  if (c.fail_after > 0 && --c.fail_after == 0) {
    if (c.how == 1) TORCH_CHECK(false, "NVML_SUCCESS == r INTERNAL ASSERT FAILED at \"CUDACachingAllocator.cpp\":838, please report a bug to PyTorch.");
    TORCH_CHECK_WITH(OutOfMemoryError, c.how != 2, "SIM out of memory. Tried to allocate 512 bytes.");
    TORCH_CHECK(false, "CUDA error: unspecified launch failure");
  }
  launch(c.kernel_ns);
}

Tensor empty(at::IntArrayRef sizes, std::optional<at::ScalarType> type, std::optional<at::Layout>, std::optional<at::Device>,
             std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(sizes, &allocator(), keys, c10::dtype_or_default(type), format);
}

Tensor empty_strided(at::IntArrayRef sizes, at::IntArrayRef strides, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                     std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(sizes, strides, &allocator(), keys, c10::dtype_or_default(type));
}

Tensor copy_from(const Tensor& from, const Tensor& to, bool non_blocking) {
  bool here = from.device().type() == kType, there = to.device().type() == kType;
  (there ? on_cpu(to) : to).copy_(here ? on_cpu(from) : from);
  if (Inside::depth > 0) return to;
  if (here && there) {
    kernel();
    return to;
  }
  (there ? control().to_device : control().to_host)++;
  bool fast = is_pinned((here ? to : from).data_ptr());
  launch(fast ? control().pinned_ns : control().pageable_ns);
  if (!fast || !non_blocking) synchronise();
  return to;
}

const Tensor& resize_(const Tensor& t, at::IntArrayRef sizes, std::optional<at::MemoryFormat>) {
  int64_t n = 1;
  for (auto size : sizes) n *= size;
  size_t need = (t.storage_offset() + n) * t.element_size();
  if (t.storage().nbytes() < need) {
    auto block = allocator().allocate(need);
    if (t.storage().nbytes()) memcpy(block.get(), t.storage().data(), t.storage().nbytes());
    t.storage().unsafeGetStorageImpl()->set_data_ptr(std::move(block));
    t.storage().unsafeGetStorageImpl()->set_nbytes(need);
  }
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return t;
}

Tensor copy_from_and_resize(const Tensor& from, const Tensor& to) {
  if (to.sizes() != from.sizes()) resize_(to, from.sizes(), std::nullopt);
  return copy_from(from, to, false);
}

at::Scalar item(const Tensor& t) {
  if (Inside::depth == 0) synchronise();
  return on_cpu(t).item();
}

Tensor convolution(const Tensor& x, const Tensor& w, const std::optional<Tensor>& b, c10::SymIntArrayRef stride, c10::SymIntArrayRef padding,
                   c10::SymIntArrayRef dilation, bool transposed, c10::SymIntArrayRef output_padding, c10::SymInt groups) {
  kernel();
  Inside one;
  std::optional<Tensor> bias;
  if (b && b->defined()) bias = on_cpu(*b);
  auto y = at::convolution_symint(on_cpu(x), on_cpu(w), bias, stride, padding, dilation, transposed, output_padding, groups);
  auto out = at::empty(y.sizes(), x.options());
  on_cpu(out).copy_(y);
  return out;
}

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  kernel();
  Inside one;
  at::native::cpu_fallback(op, stack);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &empty_strided);
  m.impl("_copy_from", &copy_from);
  m.impl("_copy_from_and_resize", &copy_from_and_resize);
  m.impl("resize_", &resize_);
  m.impl("_local_scalar_dense", &item);
  m.impl("convolution_overrideable", &convolution);
  m.impl("view", &at::native::view);
  m.impl("as_strided", [](const Tensor& t, at::IntArrayRef sizes, at::IntArrayRef strides, std::optional<int64_t> offset) {
    return at::native::as_strided_tensorimpl(t, sizes, strides, offset);
  });
  m.impl("_reshape_alias", &at::native::_reshape_alias);
  // Elsewhere than on the CPU they are made of fused kernels that the CPU has not.
  for (const char* op : {"lstm.input", "lstm.data", "gru.input", "gru.data", "lstm_cell", "gru_cell"})
    m.impl(op, torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

// The copy resolves them itself. LibTorch's way to resolve them is a copy: without this it would go round without end.
TORCH_LIBRARY_IMPL(aten, Conjugate, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, Negative, m) { m.impl("_copy_from", torch::CppFunction::makeFallthrough()); }

TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
  KERNEL_PRIVATEUSEONE(linear, lower_precision_fp)
  KERNEL_PRIVATEUSEONE(matmul, lower_precision_fp)
}
TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>()); }

}  // namespace
}  // namespace sim

// A library of one custom op, as a user would write it: for the tests of --library.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

TORCH_LIBRARY(testops, m) {
  m.def("twice(Tensor self) -> Tensor", [](const at::Tensor& self) { return self.add(self); });
}

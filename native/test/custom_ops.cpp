// A library of custom ops, as a user would write it: for the tests of --library, and of memory taken on other threads.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <thread>

TORCH_LIBRARY(testops, m) {
  m.def("twice(Tensor self) -> Tensor", [](const at::Tensor& self) { return self.add(self); });
  // As twice, twice, on a thread of its own.
  m.def("beside(Tensor self) -> Tensor", [](const at::Tensor& self) {
    at::Tensor sum;
    std::thread([&] {
      at::Tensor once = self.add(self);
      sum = once.add(once);
    }).join();
    return sum;
  });
}

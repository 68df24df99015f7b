"""Writes files of torch.save for TensorFileTest, into the folder given (torch 2.10).

    python make_saved.py src/test/resources/saved
"""
import sys

import torch

OUT = sys.argv[1] + "/"
x = torch.arange(12, dtype=torch.float32).reshape(3, 4)
torch.save(x, OUT + "tensor.pt")
torch.save((x, [torch.tensor(7), x.t()]), OUT + "tuple.pt")
torch.save(
    {
        "view": x.t(),
        "every_other": x[1:, ::2],
        "expanded": torch.tensor([5.0]).expand(2, 3),
        "batch": {"rgb": torch.tensor([1, 255], dtype=torch.uint8), "mask": torch.tensor([True, False])},
        "state.0": torch.tensor([1.5, -2.0], dtype=torch.bfloat16),
        "state.1": torch.tensor([1.5, -2.0], dtype=torch.float16),
        "empty": torch.zeros(0, 3),
        "wide": torch.tensor([1e300], dtype=torch.float64),
        "ids": torch.tensor([[-1, 2**40]]),
    },
    OUT + "dict.pt",
)
torch.save({"x": torch.nn.Linear(1, 1)}, OUT + "module.pt")

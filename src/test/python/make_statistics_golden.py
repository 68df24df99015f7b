"""Writes the figures that the statistics are tested against, by numpy and by exact fractions.

    python src/test/python/make_statistics_golden.py src/test/resources/statistics

Needs numpy (made with 2.4.6). The output is the same on every run.
"""

import gzip
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy

PERCENTILES = [1, 5, 25, 50, 90, 95, 99, 99.9]


def samples():
    """A thousand nanoseconds with a long tail, repeated values among them."""
    rng = numpy.random.default_rng(7)
    values = 1_000_000 * numpy.exp(0.3 * rng.standard_normal(1000))
    slow = rng.random(1000) < 0.05
    values[slow] *= (1 - rng.random(slow.sum())) ** (-1 / 1.5)
    return (values / 1000).astype(numpy.int64) * 1000


def figures(x):
    """min, max, mean, sd (divisor n-1), MAD, and the percentiles of x."""
    median = numpy.percentile(x, 50)
    sd = repr(float(numpy.std(x, ddof=1))) if len(x) > 1 else ""
    rest = [
        numpy.mean(x),
        sd,
        numpy.percentile(numpy.abs(x - median), 50),
        *(numpy.percentile(x, p) for p in PERCENTILES),
    ]
    return [int(x.min()), int(x.max())] + [v if v == "" else repr(float(v)) for v in rest]


def ranks(n, q, alpha):
    """Ranks from 1 of the interval's ends, all sums exact; see docs/method.md. None: too few."""
    mass = [math.comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)]
    above_all, below_all = q**n, (1 - q) ** n
    if above_all + below_all > alpha:
        return None
    low_tail = high_tail = alpha / 2
    if above_all > high_tail:
        high_tail, low_tail = above_all, alpha - above_all
    elif below_all > low_tail:
        low_tail, high_tail = below_all, alpha - below_all
    low, below = 0, Fraction(0)
    while below + mass[low] <= low_tail:
        below += mass[low]
        low += 1
    high, above = n + 1, Fraction(0)
    while above + mass[high - 1] <= high_tail:
        above += mass[high - 1]
        high -= 1
    return low, high


def write(path, lines):
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(("\n".join(lines) + "\n").encode())


def main(folder):
    x = samples()
    heads = ["sample", "min", "max", "mean", "sd", "mad"] + [f"p{p}" for p in PERCENTILES]
    write(
        folder / "numpy.csv.gz",
        [",".join(heads)]
        + [",".join(map(str, [x[n - 1], *figures(x[:n])])) for n in range(1, 1001)],
    )
    alpha = Fraction(1, 20)
    lines = ["n,percentile,low,high"]
    for percent in ["50", "90", "95", "99", "25"]:
        q = Fraction(percent) / 100
        for n in [*range(1, 121), *range(125, 401, 25), 298, 299, 368, 500, 1000]:
            found = ranks(n, q, alpha)
            lines.append(f"{n},{percent}," + (f"{found[0]},{found[1]}" if found else ","))
    write(folder / "ranks.csv.gz", lines)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

// The whole test framework: a failed check says where and ends the program with 1.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CHECK(what)                                                        \
  do {                                                                     \
    if (!(what)) {                                                         \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

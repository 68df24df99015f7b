// What a thread and its arena's other users hold stays as it is while the arena is opened.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "../arena.c"
#include "check.h"

#if defined(__linux__) && defined(__GLIBC__)
static void used_before() {
  const size_t size = 1000, count = 20000;  // 20 MB, of which some pages are the first of a huge one
  std::vector<unsigned char*> blocks;
  for (size_t i = 0; i < count; i++) {
    blocks.push_back(static_cast<unsigned char*>(malloc(size)));
    memset(blocks.back(), static_cast<int>(i % 255 + 1), size);
  }
  uintptr_t heap = reinterpret_cast<uintptr_t>(blocks[0]) & ~(RESERVED - 1);
  CHECK(reserved(heap));

  open_arena();

  size_t changed = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < size; j++) changed += blocks[i][j] != i % 255 + 1;
  CHECK(changed == 0);
  // Opened: what lies beyond all blocks can be written.
  *reinterpret_cast<volatile char*>(heap + WANTED - 1) = 1;
  for (auto* block : blocks) free(block);
}
#endif

int main() {
#if defined(__linux__) && defined(__GLIBC__)
  std::thread(used_before).join();
#endif
  return 0;
}

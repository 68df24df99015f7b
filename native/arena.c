/* LibTorch registers its operators as it is loaded: 45 MB of small blocks, 12,000 page faults, a fifth of its loading.
   glibc gives each thread but the first a reservation of 64 MB, aligned to its size, of which it opens a page at a time.
   Where this thread has one, most of it is opened at once, on huge pages where the kernel can collapse them (Linux 6.1);
   everything else is as it was. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)
#include <sys/mman.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static const uintptr_t RESERVED = 64u << 20, HUGE = 2u << 20, WANTED = 48u << 20;

/* Whether the heap from here on is a mapping in use with the rest of its reservation behind it. */
static int reserved(uintptr_t heap) {
  FILE* maps = fopen("/proc/self/maps", "re");
  unsigned long start, end, used = 0, inode;
  char mode[5];
  int found = 0;
  while (maps && !found && fscanf(maps, "%lx-%lx %4s %*x %*s %lu%*[^\n]", &start, &end, mode, &inode) == 4) {
    if (start == heap && mode[0] == 'r' && mode[1] == 'w' && inode == 0) used = end;
    else if (used) {
      found = start == used && mode[0] == '-' && mode[1] == '-' && inode == 0 && end >= heap + RESERVED;
      break;
    }
  }
  if (maps) fclose(maps);
  return found;
}

__attribute__((constructor)) static void open_arena(void) {
  void* block = malloc(1);
  uintptr_t heap = (uintptr_t)block & ~(RESERVED - 1);
  free(block);
  if (!block || !reserved(heap) || mprotect((void*)heap, WANTED, PROT_READ | PROT_WRITE)) return;
  /* Of pages that were never touched there is nothing to collapse. Others may be in use, by other threads too: a write
     that changes nothing. */
  for (uintptr_t page = heap + HUGE; page < heap + WANTED; page += HUGE) __atomic_fetch_or((char*)page, 0, __ATOMIC_RELAXED);
  madvise((void*)(heap + HUGE), WANTED - HUGE, MADV_COLLAPSE);
}
#endif

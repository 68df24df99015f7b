/* Loaded before libgomp and OpenBLAS, which read their environment once, when they are loaded. Threads that spin between
   parallel regions take the cores from the other pool and from other processes, and those that sleep at once are late for
   the next region: OpenMP's are to spin 10,000 times (a fraction of a millisecond; its own default is 30 times as long),
   OpenBLAS's for 2^20 clock ticks (its own default is 2^26). OpenBLAS starts without extra threads; sessions widen it at
   run time. What the user set stays. */
#include <stdlib.h>

__attribute__((constructor)) static void calm_thread_pools(void) {
  if (!getenv("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", "10000", 0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "20", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
}

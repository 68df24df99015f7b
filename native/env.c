/* Loaded before libgomp and OpenBLAS, which read their environment once, when they are loaded. Threads that spin between
   parallel regions take the cores from the other pool and from other processes: OpenMP's are to sleep, OpenBLAS's after
   2^20 clock ticks (its own default is 2^26). OpenBLAS starts without extra threads; sessions widen it at run time. What
   the user set stays. */
#include <stdlib.h>

__attribute__((constructor)) static void calm_thread_pools(void) {
  if (!getenv("GOMP_SPINCOUNT")) setenv("OMP_WAIT_POLICY", "passive", 0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "20", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
}

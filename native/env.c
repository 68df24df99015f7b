/* Loaded before libgomp, which reads its environment once, when it is loaded. Threads that spin between parallel
   regions take the cores from the BLAS's own pool and from other processes; a wait policy that the user set stays. */
#include <stdlib.h>

__attribute__((constructor)) static void set_wait_policy(void) {
  if (!getenv("OMP_WAIT_POLICY") && !getenv("GOMP_SPINCOUNT")) setenv("OMP_WAIT_POLICY", "passive", 0);
}

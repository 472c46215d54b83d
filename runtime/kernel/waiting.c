/* Common part of all system calls that wait: one step of time until something may have changed. */
#include "internal.h"

static uint64_t earlier(uint64_t a, uint64_t b) { return a && (!b || a < b) ? a : b; }

/* One step: others run, a child goes on, or the clock goes on to whatever comes first of the deadline, `wake` (when what is waited for
 * comes to pass by itself), an alarm or timer, and another thread's time limit. Both are on the clock, 0: never.
 * 0: look again; -EINTR: a handler has run; -ETIMEDOUT: the deadline is over. If nothing can happen any more
 * the path ends as the gap `what`. */
long hk_wait(uint64_t deadline, uint64_t wake, const char *what) {
  unsigned long before = hk_handled();
  uint64_t moment;
  if (deadline && deadline <= hk_clock()) return -ETIMEDOUT;
  if (hk_look_again() || hk_child_moves()) return hk_handled() != before ? -EINTR : 0;
  moment = earlier(earlier(deadline, wake), hk_first_time_out());
  if (!hk_ring_before(moment ? moment : ~(uint64_t)0)) {
    if (moment > hk_clock())
      hk.slept += moment - hk_clock();
    else if (!moment && !hk_wait_for_others())
      homi_unsupported(what);
    hk_yield();
  }
  if (hk_handled() != before) return -EINTR;
  return deadline && deadline <= hk_clock() ? -ETIMEDOUT : 0;
}

/* A time limit as a moment on the clock; null: 0, none. `*error` is 0 or -errno. */
uint64_t hk_deadline_of(const struct kernel_time *time, int absolute, long *error) {
  const int64_t second = 1000000000, for_ever = 1000000000; /* thirty years */
  int64_t seconds, nanoseconds;
  uint64_t length;
  *error = 0;
  if (!time) return 0;
  *error = -EFAULT;
  if (hk_bad(time)) return 0;
  *error = -EINVAL;
  if (hk_decide((time->seconds < 0) | ((uint64_t)time->nanoseconds >= (uint64_t)second))) return 0;
  *error = 0;
  seconds = (int64_t)hk_below((uint64_t)time->seconds, (uint64_t)(absolute ? 8 * for_ever : for_ever));
  nanoseconds = (int64_t)homi_concretize((uint64_t)time->nanoseconds);
  length = (uint64_t)(seconds * second + nanoseconds);
  if (!absolute) return hk_clock() + length;
  return length ? length : 1;
}

/* Clocks, sleeping and timers. All clocks are the engine's deterministic one plus the time slept, so a
 * sleep takes no time and an alarm goes off in the sleep in which it falls due. Each question moves the
 * clock on by a microsecond, so that a program that waits for time to pass comes to an end. */
#include "internal.h"

/* Between two steps of the coarse clocks, in nanoseconds. */
enum { CLOCK_COARSE = 5, CLOCK_MONOTONIC_COARSE = 6, TICK = 4000000 };
enum { CLOCKS = 12, CLOCK_PROCESS = 2, CLOCK_THREAD = 3, CLOCK_NONE = 10, SECOND = 1000000000, QUESTION = 1000, LATE = 50000 };

static uint64_t alarm_at;       /* 0: none */
static uint64_t alarm_interval;

/* A timer of processor time, which passes in ticks only: nanoseconds that are left, 0: off, and that it starts again with. */
struct processor_timer {
  uint64_t left, interval;
};
static struct processor_timer processor_timers[2]; /* ITIMER_VIRTUAL, ITIMER_PROF */

uint64_t hk_clock(void) { return homi_clock_ns() + hk.slept; }

/* The alarm or timer that goes off first until `deadline`; whether one did. */
int hk_ring_before(uint64_t deadline) {
  uint64_t now = hk_clock(), timer = hk_first_timer();
  uint64_t first = timer && (!alarm_at || timer < alarm_at) ? timer : alarm_at;
  if (first == 0 || first > deadline) return 0;
  if (first > now) hk.slept += first - now;
  if (first != alarm_at) {
    hk_ring_timer();
    return 1;
  }
  alarm_at = alarm_interval ? alarm_at + alarm_interval : 0;
  hk_raise(SIGALRM);
  return 1;
}

/* True if some timer is to go off. */
int hk_has_timer(void) {
  return alarm_at || hk_first_timer() || processor_timers[0].left || processor_timers[1].left;
}

/* The process has computed for so long. */
void hk_pass_processor_time(uint64_t nanoseconds) {
  int i;
  for (i = 0; i < 2; i++) {
    struct processor_timer *timer = &processor_timers[i];
    if (!timer->left) continue;
    timer->left = timer->left > nanoseconds ? timer->left - nanoseconds : 0;
    if (timer->left) continue;
    timer->left = timer->interval;
    hk_raise(i == 0 ? SIGVTALRM : SIGPROF);
  }
}

/* A look at a clock: time passes, and what is due by then goes off. */
static void pass_a_moment(void) {
  hk.slept += QUESTION;
  while (hk_ring_before(hk_clock())) {}
}

/* 0, or -EINTR when a handler has run. */
long hk_sleep(uint64_t nanoseconds) {
  uint64_t deadline = hk_clock() + nanoseconds, now;
  unsigned long before = hk_handled();
  if (hk_has_threads()) return hk_thread_sleep(deadline);
  while (hk_child_moves() || hk_ring_before(deadline))
    if (hk_handled() != before) return -EINTR;
  now = hk_clock();
  if (deadline > now) hk.slept += deadline - now;
  return 0;
}

/* The clock, the process's if it measures processor time; -1: there is none. Negative numbers are clocks of a process's or thread's processor time: the id's complement above three bits, of which the third says
 * that it is a thread's and the others are a kind. */
long hk_known_clock(long clock) {
  int id = (int)~((int)clock >> 3);
  if (hk_decide((int)clock >= 0)) {
    clock = hk_int(clock, 0, CLOCKS - 1);
    return clock == CLOCK_NONE || clock == CLOCKS ? -1 : clock;
  }
  if (hk_decide(((int)clock & 3) == 3)) return -1;
  if (hk_decide(id == 0)) return CLOCK_PROCESS;
  id = (int)homi_concretize((unsigned)id);
  if (!((int)clock & 4) && (id == hk.parent || id == 1)) return CLOCK_PROCESS;
  return hk_thread_lives(id) ? CLOCK_PROCESS : -1;
}

long hk_clock_gettime(long clock, struct kernel_time *result) {
  clock = hk_known_clock(clock);
  if (clock < 0) return -EINVAL;
  if (hk_bad(result)) return -EFAULT;
  if (clock == CLOCK_PROCESS || clock == CLOCK_THREAD) {
    result->seconds = result->nanoseconds = 0; /* the model's processor takes no time */
    return 0;
  }
  pass_a_moment();
  *result = hk_now();
  return 0;
}

long hk_clock_getres(long clock, struct kernel_time *result) {
  clock = hk_known_clock(clock);
  if (clock < 0) return -EINVAL;
  if (result) {
    result->seconds = 0;
    result->nanoseconds = clock == CLOCK_COARSE || clock == CLOCK_MONOTONIC_COARSE ? TICK : 1;
  }
  return 0;
}

long hk_gettimeofday(int64_t *result, int32_t *zone) {
  struct kernel_time now;
  pass_a_moment();
  now = hk_now();
  if (result) {
    result[0] = now.seconds;
    result[1] = now.nanoseconds / 1000;
  }
  if (zone) zone[0] = zone[1] = 0;
  return 0;
}

long hk_time(int64_t *result) {
  int64_t now = hk_now().seconds;
  if (result) *result = now;
  return now;
}

/* In ticks of 1/100 s since an arbitrary moment. */
long hk_times(int64_t *result) {
  if (result) memset(result, 0, 32);
  return (long)(hk_clock() / (SECOND / 100));
}

long hk_nanosleep(const struct kernel_time *wish, struct kernel_time *rest, int absolute) {
  uint64_t length, now = hk_clock();
  long error;
  if (hk_bad(wish)) return -EFAULT;
  int64_t seconds = wish->seconds, nanoseconds = wish->nanoseconds;
  if (hk_decide((seconds < 0) | ((uint64_t)nanoseconds >= SECOND))) return -EINVAL;
  seconds = (int64_t)hk_below((uint64_t)seconds, absolute ? 8000000000 : 1000000000); /* thirty years are for ever */
  nanoseconds = (int64_t)homi_concretize((uint64_t)nanoseconds);
  length = (uint64_t)seconds * SECOND + (uint64_t)nanoseconds;
  if (absolute) length = length > now ? length - now : 0;
  error = hk_sleep(length);
  if (error < 0 && rest && !absolute) {
    /* A process wakes up a little later than it is woken. */
    uint64_t gone = hk_clock() - now + LATE, left = length > gone ? length - gone : 0;
    rest->seconds = (int64_t)(left / SECOND);
    rest->nanoseconds = (int64_t)(left % SECOND);
  }
  return error;
}

/* By a clock: a thread can sleep only by some clocks. A thread cannot sleep by its own processor time. */
long hk_clock_nanosleep(long clock, long flags, const struct kernel_time *wish, struct kernel_time *rest) {
  const int is_own_thread = hk_decide((int)clock < 0) && hk_decide(((int)clock & 4) != 0);
  enum { RAW = 4, COARSE = 6 };
  clock = hk_known_clock(clock);
  if (clock < 0 || is_own_thread) return -EINVAL;
  if (clock == CLOCK_THREAD || (clock >= RAW && clock <= COARSE)) return -EOPNOTSUPP;
  return hk_nanosleep(wish, rest, (int)homi_concretize((unsigned)flags & 1));
}

/* The rest of the alarm set before, in nanoseconds. */
static uint64_t alarm_left(void) {
  uint64_t now = hk_clock();
  if (alarm_at == 0) return 0;
  return alarm_at > now ? alarm_at - now : 1;
}

long hk_alarm(unsigned long seconds) {
  uint64_t left = alarm_left();
  seconds = (uint32_t)homi_concretize(seconds);
  alarm_interval = 0;
  alarm_at = seconds ? hk_clock() + seconds * SECOND : 0;
  hk_watch();
  return (long)((left + SECOND - 1) / SECOND);
}

static void put_interval(int64_t *to, uint64_t nanoseconds) {
  to[0] = (int64_t)(nanoseconds / SECOND);
  to[1] = (int64_t)(nanoseconds % SECOND / 1000);
}

long hk_getitimer(long which, int64_t *value) {
  which = hk_int(which, 0, 2);
  if (which > 2) return -EINVAL;
  if (hk_bad(value)) return -EFAULT;
  put_interval(value, which == 0 ? alarm_interval : processor_timers[which - 1].interval);
  put_interval(value + 2, which == 0 ? alarm_left() : processor_timers[which - 1].left);
  return 0;
}

long hk_setitimer(long which, const int64_t *value, int64_t *old) {
  if (old) {
    long error = hk_getitimer(which, old);
    if (error < 0) return error;
  }
  which = hk_int(which, 0, 2);
  if (which > 2) return -EINVAL;
  if (value && (value[0] < 0 || value[2] < 0 || value[1] < 0 || value[1] > 999999 || value[3] < 0 || value[3] > 999999)) return -EINVAL;
  uint64_t first = value ? (uint64_t)value[2] * SECOND + (uint64_t)value[3] * 1000 : 0;
  uint64_t interval = first ? (uint64_t)value[0] * SECOND + (uint64_t)value[1] * 1000 : 0;
  if (which != 0) {
    processor_timers[which - 1] = (struct processor_timer){first, interval};
  } else {
    alarm_interval = interval;
    alarm_at = first ? hk_clock() + first : 0;
  }
  hk_watch();
  return 0;
}

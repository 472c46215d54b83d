/* POSIX timers (timer_create): each raises a signal at its moment on the deterministic clock, as alarms do. */
#include "internal.h"

enum { RAW_CLOCK = 4, COARSE_CLOCK = 6, CLOCK_WITH_ALARM = 8 };
enum { TIMERS = 32, SECOND = 1000000000, ABSOLUTE = 1 };
enum { NOTIFY_SIGNAL = 0, NOTIFY_NONE = 1, NOTIFY_THREAD = 4 };

struct timer {
  int used;
  int notify, number, thread;
  uint64_t value;     /* what the signal carries */
  uint64_t next;      /* 0: it does not go off */
  uint64_t interval;  /* nanoseconds; 0: once */
  int is_waiting;     /* its signal is, and until that is taken there is no other */
  int overrun;        /* of the signal taken last */
};

/* Layout of struct sigevent in the system call. */
struct notification {
  uint64_t value;
  int32_t number, notify, thread;
};

static struct timer timers[TIMERS];

long hk_timer_create(long clock, const struct notification *wish, int32_t *id) {
  struct timer *timer;
  int i = 0;
  clock = hk_known_clock(clock);
  if (clock < 0 || clock == CLOCK_WITH_ALARM || clock == CLOCK_WITH_ALARM + 1) return -EINVAL;
  if (clock >= RAW_CLOCK && clock <= COARSE_CLOCK) return -EOPNOTSUPP;
  if (hk_bad(id)) return -EFAULT;
  while (i < TIMERS && timers[i].used) i++;
  if (i == TIMERS) {
    homi_note_concretized("no more than 32 timers at a time");
    return -EAGAIN;
  }
  timer = &timers[i];
  memset(timer, 0, sizeof *timer);
  timer->number = SIGALRM;
  timer->value = (uint64_t)i;
  if (wish) {
    timer->value = wish->value;
    timer->number = (int)hk_int(wish->number, 0, SIGNAL_LIMIT);
    timer->notify = (int)hk_int(wish->notify, NOTIFY_SIGNAL, NOTIFY_THREAD);
    timer->thread = timer->notify == NOTIFY_THREAD ? wish->thread : 0;
    if (timer->notify != NOTIFY_SIGNAL && timer->notify != NOTIFY_NONE && timer->notify != NOTIFY_THREAD) return -EINVAL;
    if (timer->notify != NOTIFY_NONE && (timer->number < 1 || timer->number > SIGNAL_LIMIT)) return -EINVAL;
  }
  /* Processor time stands still, so such a timer never goes off. */
  timer->used = clock == 2 || clock == 3 ? 2 : 1;
  *id = i;
  return 0;
}

static struct timer *timer_of(long id) {
  unsigned long number = hk_below((uint32_t)id, TIMERS);
  return number < TIMERS && timers[number].used ? &timers[number] : 0;
}

static void put_time(struct kernel_time *to, uint64_t nanoseconds) {
  to->seconds = (int64_t)(nanoseconds / SECOND);
  to->nanoseconds = (int64_t)(nanoseconds % SECOND);
}

/* A timer without a notification, or whose signal still waits, runs all the same. */
static uint64_t next_of(const struct timer *timer) {
  uint64_t now = hk_clock(), next = timer->next;
  if ((timer->notify != NOTIFY_NONE && !timer->is_waiting) || !next || next > now) return next;
  return timer->interval ? next + ((now - next) / timer->interval + 1) * timer->interval : 0;
}

static void describe(const struct timer *timer, struct kernel_time *value) {
  uint64_t next = next_of(timer), now = hk_clock();
  put_time(value, timer->interval);
  put_time(value + 1, next ? (next > now ? next - now : 1) : 0);
}

long hk_timer_settime(long id, long flags, const struct kernel_time *value, struct kernel_time *old) {
  struct timer *timer = timer_of(id);
  long error;
  uint64_t interval, first = 0;
  if (!timer || hk_bad(value)) return -EINVAL;
  interval = hk_deadline_of(value, 0, &error);
  if (!error) first = hk_deadline_of(value + 1, (int)homi_concretize((unsigned)flags & ABSOLUTE), &error);
  if (error) return error;
  if (old) describe(timer, old);
  timer->interval = interval - hk_clock();
  timer->next = value[1].seconds || value[1].nanoseconds ? first : 0;
  timer->overrun = 0;
  timer->is_waiting = 0;
  hk_forget_timer((int)(timer - timers));
  hk_watch();
  hk_ring_before(hk_clock());
  return 0;
}

long hk_timer_gettime(long id, struct kernel_time *value) {
  const struct timer *timer = timer_of(id);
  if (!timer) return -EINVAL;
  if (hk_bad(value)) return -EFAULT;
  describe(timer, value);
  return 0;
}

long hk_timer_getoverrun(long id) {
  const struct timer *timer = timer_of(id);
  return timer ? timer->overrun : -EINVAL;
}

long hk_timer_delete(long id) {
  struct timer *timer = timer_of(id);
  if (!timer) return -EINVAL;
  timer->used = 0;
  hk_forget_timer((int)(timer - timers));
  return 0;
}

static struct timer *first_timer(void) {
  struct timer *first = 0;
  int i;
  for (i = 0; i < TIMERS; i++) {
    struct timer *timer = &timers[i];
    if (timer->used != 1 || !timer->next || timer->notify == NOTIFY_NONE || timer->is_waiting) continue;
    if (!first || timer->next < first->next) first = timer;
  }
  return first;
}

/* The moment at which the first timer goes off; 0: none does. */
uint64_t hk_first_timer(void) {
  const struct timer *timer = first_timer();
  return timer ? timer->next : 0;
}

/* It goes off: the clock is there. */
void hk_ring_timer(void) {
  struct timer *timer = first_timer();
  if (!timer) return;
  timer->is_waiting = 1;
  hk_raise_timer(timer->number, timer->thread, (int)(timer - timers), timer->value);
}

/* Its signal is taken: how often it would have gone off again by now. It starts again behind that. */
int hk_timer_taken(int id) {
  struct timer *timer = &timers[id];
  const uint64_t now = hk_clock();
  uint64_t missed = 0;
  if (!timer->used || !timer->is_waiting) return 0;
  timer->is_waiting = 0;
  if (timer->interval && now > timer->next) missed = (now - timer->next) / timer->interval;
  timer->next = timer->interval ? timer->next + (missed + 1) * timer->interval : 0;
  timer->overrun = missed > INT32_MAX ? INT32_MAX : (int)missed;
  return timer->overrun;
}

/* poll and select: what is ready, and waiting until something is. */
#include "internal.h"

enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, POLLNVAL = 32, POLLRDNORM = 64, POLLWRNORM = 256 };
enum { LEAST_TABLE = 64 };
static const uint64_t MOMENT = 1000; /* nanoseconds that a look takes, so that asking again and again comes to an end */

struct poll_entry {
  int32_t descriptor;
  int16_t wanted;
  int16_t ready;
};

/* The current events of a file. A file that no other process or thread can fill or empty is ready. */
int hk_events_of(const struct open_file *file) {
  const struct file_operations *operations = file->inode->operations;
  return operations->events ? operations->events(file) : POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
}

/* The moment at which the file becomes ready by itself; 0: it does not. */
uint64_t hk_next_expiry(const struct open_file *file) {
  const struct file_operations *operations = file->inode->operations;
  return operations->next_expiry ? operations->next_expiry(file) : 0;
}

/* From {seconds, fraction} to nanoseconds; a null pointer is no limit (-1). */
int64_t hk_timeout_of(const int64_t *time, int64_t units_per_second) {
  int64_t fraction;
  if (!time) return -1;
  fraction = time[1];
#if __SIZEOF_POINTER__ == 4
  fraction = (int32_t)fraction; /* of nanoseconds there are 32 bits, and what lies behind means nothing */
#endif
  return time[0] * 1000000000 + fraction * (1000000000 / units_per_second);
}

/* When the file becomes ready by itself, if that is before the moment found so far. */
static void note_expiry(const struct open_file *file, uint64_t *wake) {
  uint64_t next = hk_next_expiry(file);
  if (next > hk_clock() && (!*wake || next < *wake)) *wake = next;
}

static long look(struct poll_entry *entry, unsigned long count, uint64_t *wake) {
  long ready = 0;
  for (; count > 0; count--, entry++) {
    struct open_file *file = entry->descriptor < 0 ? 0 : hk_file(entry->descriptor);
    entry->ready = 0;
    if (entry->descriptor < 0) continue;
    entry->ready = (int16_t)(file ? hk_events_of(file) & (entry->wanted | POLLERR | POLLHUP) : POLLNVAL);
    if (entry->ready) ready++;
    if (file) note_expiry(file, wake);
  }
  return ready;
}

/* The moment at which a wait ends; 0: never. */
static uint64_t deadline_after(int64_t timeout) { return timeout < 0 ? 0 : hk_clock() + (uint64_t)timeout; }

static long at_end(long waited, int64_t timeout) {
  if (timeout == 0) {
    hk.slept += MOMENT;
    hk_yield();
  }
  return waited == -ETIMEDOUT ? 0 : waited;
}

long hk_poll(void *entries, unsigned long count, int64_t timeout, const uint64_t *mask) {
  uint64_t deadline, wake = 0, saved = 0;
  unsigned long before = hk_handled();
  long ready, waited = 0;
  if (hk_decide(count > DESCRIPTOR_LIMIT)) return -EINVAL;
  homi_require_room(entries, count * sizeof(struct poll_entry), 1);
  count = homi_concretize(count);
  ready = look(entries, count, &wake);
  if (ready) return ready;
  timeout = (int64_t)homi_concretize((uint64_t)timeout);
  deadline = deadline_after(timeout);
  if (mask) saved = hk_enter_mask(mask);
  if (hk_handled() != before) waited = -EINTR;
  while (ready == 0 && waited == 0) {
    waited = hk_wait(deadline, wake, "poll waits for ever");
    wake = 0;
    ready = look(entries, count, &wake);
  }
  if (mask) hk_leave_mask(saved);
  return ready ? ready : at_end(waited, timeout);
}

static int in_set(const uint64_t *set, long n) { return set && (set[n / 64] >> (n % 64) & 1); }

static void put_in_set(uint64_t *set, long n, int is_ready) {
  if (set && !is_ready) set[n / 64] &= ~((uint64_t)1 << (n % 64));
}

/* Counts the ready descriptors of the sets; `keep` reduces the sets to them. */
static long look_at_sets(long count, uint64_t *const *sets, int keep, uint64_t *wake) {
  static const int wanted[3] = {POLLIN | POLLHUP | POLLERR, POLLOUT | POLLERR, 0};
  long n, ready = 0;
  for (n = 0; n < count; n++) {
    int kind, events;
    if (!in_set(sets[0], n) && !in_set(sets[1], n) && !in_set(sets[2], n)) continue;
    events = hk_events_of(hk_file(n));
    note_expiry(hk_file(n), wake);
    for (kind = 0; kind < 3; kind++) {
      if (!in_set(sets[kind], n)) continue;
      if (events & wanted[kind]) ready++;
      if (keep) put_in_set(sets[kind], n, events & wanted[kind]);
    }
  }
  return ready;
}

static long select(long count, void *readable, void *writable, void *exceptional, int64_t timeout, const uint64_t *mask) {
  uint64_t *const sets[3] = {readable, writable, exceptional};
  uint64_t deadline, wake = 0, saved = 0;
  unsigned long before = hk_handled();
  long n, ready, waited = 0;
  /* Beyond the table of descriptors there is nothing to look at. */
  const unsigned most = hk.descriptor_count < LEAST_TABLE ? LEAST_TABLE : hk.descriptor_count;
  if (hk_decide((int)count < 0)) return -EINVAL;
  count = (long)hk_below((uint32_t)count, most);
  for (n = 0; n < count; n++)
    if ((in_set(sets[0], n) || in_set(sets[1], n) || in_set(sets[2], n)) && !hk_file(n)) return -EBADF;
  ready = look_at_sets(count, sets, 0, &wake);
  if (ready) return look_at_sets(count, sets, 1, &wake);
  timeout = (int64_t)homi_concretize((uint64_t)timeout);
  deadline = deadline_after(timeout);
  if (mask) saved = hk_enter_mask(mask);
  if (hk_handled() != before) waited = -EINTR;
  while (ready == 0 && waited == 0) {
    waited = hk_wait(deadline, wake, "select waits for ever");
    wake = 0;
    ready = look_at_sets(count, sets, 0, &wake);
  }
  /* The sets stay as they are when a handler has run. */
  if (ready || waited == -ETIMEDOUT) look_at_sets(count, sets, 1, &wake);
  if (mask) hk_leave_mask(saved);
  return ready ? ready : at_end(waited, timeout);
}

/* Linux leaves in `time`, two words of which the second has `unit` parts of a second, how much of it is left. A call takes some. */
long hk_select(long count, void *readable, void *writable, void *exceptional, int64_t *time, long unit, const uint64_t *mask) {
  enum { SECOND = 1000000000, TAKEN = 1000 };
  const int64_t timeout = hk_timeout_of(time, unit);
  const uint64_t before = hk_clock();
  const long result = select(count, readable, writable, exceptional, timeout, mask);
  int64_t left;
  if (!time || klee_is_symbolic((uintptr_t)timeout) || timeout <= 0) return result;
  left = timeout - (int64_t)(hk_clock() - before) - TAKEN;
  if (left < 0) left = 0;
  time[0] = left / SECOND;
  time[1] = left % SECOND / (SECOND / unit);
  return result;
}

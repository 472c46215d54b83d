/* poll and select. Everything but an empty or full pipe is ready. Nobody else could make a pipe ready, so
 * waiting ends at the time limit, and without one never: a named gap. */
#include "internal.h"

enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, POLLNVAL = 32, POLLRDNORM = 64, POLLWRNORM = 256 };

struct poll_entry {
  int32_t descriptor;
  int16_t wanted;
  int16_t ready;
};

/* The events that hold for a file now. */
static int events_of(const struct open_file *file) {
  const struct inode *inode = file->inode;
  int mode = file->flags & O_ACCMODE, events = 0;
  if (inode->kind != INODE_PIPE) return POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
  if (mode != O_WRONLY) {
    if (inode->size) events |= POLLIN | POLLRDNORM;
    if (inode->writers == 0) events |= POLLHUP;
  }
  if (mode != O_RDONLY) {
    if (inode->size < PIPE_CAPACITY) events |= POLLOUT | POLLWRNORM;
    if (inode->readers == 0) events |= POLLERR;
  }
  return events;
}

/* Nothing is ready: time passes. Negative: no limit. */
static long wait_for(int64_t timeout) {
  if (timeout < 0) homi_gap("poll or select waits for ever");
  return timeout ? hk_sleep((uint64_t)timeout) : 0;
}

/* From {seconds, fraction} to nanoseconds; a null pointer is no limit (-1). */
int64_t hk_timeout_of(const int64_t *time, int64_t units_per_second) {
  return time ? time[0] * 1000000000 + time[1] * (1000000000 / units_per_second) : -1;
}

long hk_poll(void *entries, unsigned long count, int64_t timeout) {
  struct poll_entry *entry = entries;
  unsigned long i;
  long ready = 0, error;
  count = homi_concretize(count);
  if (count > DESCRIPTOR_LIMIT) return -EINVAL;
  for (i = 0; i < count; i++, entry++) {
    struct open_file *file = entry->descriptor < 0 ? 0 : hk_file(entry->descriptor);
    entry->ready = 0;
    if (entry->descriptor < 0) continue;
    entry->ready = (int16_t)(file ? events_of(file) & (entry->wanted | POLLERR | POLLHUP) : POLLNVAL);
    if (entry->ready) ready++;
  }
  if (ready) return ready;
  error = wait_for(timeout);
  return error;
}

static int in_set(const uint64_t *set, long n) { return set && (set[n / 64] >> (n % 64) & 1); }

/* Keeps a wanted descriptor in the set if it is ready: how many did. */
static long keep(uint64_t *set, long n, int ready) {
  if (!in_set(set, n)) return 0;
  if (ready) return 1;
  set[n / 64] &= ~((uint64_t)1 << (n % 64));
  return 0;
}

long hk_select(long count, void *readable, void *writable, void *exceptional, int64_t timeout) {
  long n, ready = 0;
  count = (int)homi_concretize((unsigned long)count);
  if (count < 0 || count > DESCRIPTOR_LIMIT) return -EINVAL;
  for (n = 0; n < count; n++)
    if ((in_set(readable, n) || in_set(writable, n) || in_set(exceptional, n)) && !hk_file(n)) return -EBADF;
  for (n = 0; n < count; n++) {
    int events;
    if (!in_set(readable, n) && !in_set(writable, n) && !in_set(exceptional, n)) continue;
    events = events_of(hk_file(n));
    ready += keep(readable, n, events & (POLLIN | POLLHUP));
    ready += keep(writable, n, events & (POLLOUT | POLLERR));
    keep(exceptional, n, 0);
  }
  return ready ? ready : wait_for(timeout);
}

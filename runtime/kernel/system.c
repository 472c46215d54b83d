/* Calls that return properties of the machine and the process. The machine is always the same: one CPU,
 * 1 GiB of memory. */
#include "internal.h"

long hk_uname(char *result) {
  static const char *const fields[6] = {"Linux", "homi", "6.1.0", "#1 SMP homi", "x86_64", "(none)"};
  int i;
  if (hk_bad(result)) return -EFAULT;
  memset(result, 0, 6 * 65);
  for (i = 0; i < 6; i++) memcpy(result + i * 65, fields[i], strlen(fields[i]));
  return 0;
}

long hk_sysinfo(unsigned char *result) {
  const uint64_t gigabyte = 1 << 30;
  uint64_t *words = (uint64_t *)(void *)result;
  uint16_t processes = 1;
  uint32_t unit = 1;
  if (hk_bad(result)) return -EFAULT;
  memset(result, 0, 112);
  words[0] = 3600;
  words[4] = gigabyte;
  words[5] = gigabyte / 2;
  memcpy(result + 80, &processes, 2);
  memcpy(result + 104, &unit, 4);
  return 0;
}

enum { LIMIT_OF_STACK = 3, LIMIT_OF_CORES = 4, LIMIT_OF_DESCRIPTORS = 7, RESOURCES = 16 };

/* Limits, soft and hard, that the program has set. Only the limit of descriptors has an effect. */
static struct { int is_set; uint64_t soft, hard; } limits[RESOURCES];

/* Numbers of descriptors are below. */
unsigned hk_descriptor_limit(void) {
  uint64_t soft = limits[LIMIT_OF_DESCRIPTORS].soft;
  return limits[LIMIT_OF_DESCRIPTORS].is_set && soft < DESCRIPTOR_LIMIT ? (unsigned)soft : DESCRIPTOR_LIMIT;
}

/* Limits of resource 0 to 15: soft, hard. */
long hk_rlimit(long resource, const uint64_t *wish, uint64_t *result) {
  const uint64_t unlimited = ~(uint64_t)0;
  resource = hk_int(resource, 0, 15);
  if (resource > 15) return -EINVAL;
  if (wish && hk_decide(wish[0] > wish[1])) return -EINVAL;
  if (result && limits[resource].is_set) {
    result[0] = limits[resource].soft;
    result[1] = limits[resource].hard;
  } else if (result) {
    result[0] = result[1] = unlimited;
    if (resource == LIMIT_OF_STACK) result[0] = 8 << 20;
    if (resource == LIMIT_OF_DESCRIPTORS) result[0] = result[1] = DESCRIPTOR_LIMIT;
    if (resource == LIMIT_OF_CORES) result[0] = 0;
  }
  if (wish) {
    limits[resource].soft = homi_concretize(wish[0]);
    limits[resource].hard = homi_concretize(wish[1]);
    limits[resource].is_set = 1;
  }
  return 0;
}

/* Deterministic bytes that differ from call to call. Calls that must not wait (flag 1) have a separate
 * stream: in a replay glibc's malloc makes one, and the program's bytes must be the same as in the run. */
long hk_getrandom(unsigned char *buffer, uint64_t n, long flags) {
  static uint64_t states[2] = {0x853c49e6748fea9bu, 0xda3e39cb94b95bdbu};
  uint64_t *state = &states[homi_concretize((unsigned long)flags & 1)];
  /* Odd, and with another first byte in each variation. */
  const uint64_t step = 1442695040888963407u + 0x9e3779b97f4a7c14u * homi_variation();
  uint64_t i;
  if (hk_decide(((unsigned long)flags & ~7ul) != 0)) return -EINVAL;
  if (hk_bad(buffer)) return hk_decide(n != 0) ? -EFAULT : 0;
  homi_require_room(buffer, n, 1);
  n = homi_concretize(n);
  for (i = 0; i < n; i++) {
    *state = *state * 6364136223846793005u + step;
    buffer[i] = (unsigned char)(*state >> 56);
  }
  return (long)n;
}

/* Usage of the process (0), its children (-1) or the thread (1): all zero. */
long hk_getrusage(long who, void *result) {
  who = hk_int(who, -1, 1);
  if (who > 1) return -EINVAL;
  if (hk_bad(result)) return -EFAULT;
  memset(result, 0, 144);
  return 0;
}

/* The process itself (0 or its number) or one of its threads. */
static int is_own(long id) {
  return hk_decide(((int)id == 0) | ((int)id == hk.process)) || hk_thread_lives((int)homi_concretize((unsigned)id));
}

/* One processor: the first bit. Returns the bytes written, as the system call does. */
long hk_affinity(long id, uint64_t n, unsigned char *set) {
  if (hk_decide((n < 8) | (n % 8 != 0))) return -EINVAL;
  if (!is_own(id)) return -ESRCH;
  if (hk_bad(set)) return -EFAULT;
  memset(set, 0, 8);
  set[0] = 1;
  return 8;
}

long hk_set_affinity(long id, uint64_t n, const unsigned char *set) {
  if (hk_decide(n != 0) && hk_bad(set)) return -EFAULT;
  if (!is_own(id)) return -ESRCH;
  return hk_decide(n == 0) || !hk_decide(set[0] & 1) ? -EINVAL : 0;
}

enum { OF_PROCESS, OF_GROUP, OF_USER, LEAST_NICE = -20, MOST_NICE = 19, EVEN = 20 };
static int nice_value;

/* Whose it is: 0 or -errno. */
static long check_owner(long which, long id) {
  which = hk_int(which, OF_PROCESS, OF_USER);
  if (which < OF_PROCESS || which > OF_USER) return -EINVAL;
  if (which == OF_PROCESS) return is_own(id) ? 0 : -ESRCH;
  return hk_decide((int)id == 0) || hk_decide((int)id == (which == OF_GROUP ? hk.group : (int)homi_host_id(0))) ? 0 : -ESRCH;
}

long hk_get_priority(long which, long id) {
  const long error = check_owner(which, id);
  return error ? error : EVEN - nice_value;
}

/* Only root can lower its nice value. */
long hk_set_priority(long which, long id, long nice) {
  const long error = check_owner(which, id);
  if (error) return error;
  nice = hk_decide((int)nice < LEAST_NICE) ? LEAST_NICE : hk_int(nice, LEAST_NICE, MOST_NICE);
  if (nice > MOST_NICE) nice = MOST_NICE;
  if (nice < nice_value && homi_host_id(1) != 0) return -EACCES;
  nice_value = (int)nice;
  return 0;
}

long hk_getcpu(uint32_t *processor, uint32_t *node) {
  if (processor) *processor = 0;
  if (node) *node = 0;
  return 0;
}

/* ioprio_set and ioprio_get of a process, a group or a user: none has a priority. */
long hk_priority_of_io(long which, long priority) {
  return hk_decide(((int)which < 1) | ((int)which > 3) | ((int)priority < 0) | ((int)priority >> 13 > 3)) ? -EINVAL : 0;
}

static int policy; /* one without real-time priorities */

/* sched_*: only classes without real-time priorities are allowed. */
long hk_scheduling(long number, long a1, long a2, int32_t *a3) {
  enum { FIFO = 1, ROUND_ROBIN = 2, IDLE = 5 };
  int32_t *to = (int32_t *)a2;
  if (number == CALL_sched_get_priority_max || number == CALL_sched_get_priority_min) {
    a1 = hk_int(a1, 0, IDLE + 1);
    if (a1 == FIFO || a1 == ROUND_ROBIN) return number == CALL_sched_get_priority_max ? 99 : 1;
    return a1 == 4 || a1 > IDLE + 1 ? -EINVAL : 0;
  }
  if (hk_decide((int)a1 < 0)) return -EINVAL;
  if (number == CALL_sched_setscheduler) {
    a2 = hk_int(a2, 0, IDLE);
    to = a3;
    if (a2 == 4 || a2 > IDLE) return -EINVAL;
  }
  if (number != CALL_sched_getscheduler && hk_bad(to)) return number == CALL_sched_rr_get_interval ? -EFAULT : -EINVAL;
  if (!is_own(a1)) return -ESRCH;
  if (number == CALL_sched_setscheduler && (a2 == FIFO || a2 == ROUND_ROBIN)) return *to < 1 || *to > 99 ? -EINVAL : -EPERM;
  if (number == CALL_sched_getscheduler) return policy;
  if ((number == CALL_sched_setparam || number == CALL_sched_setscheduler) && *to) return -EINVAL;
  if (number == CALL_sched_setscheduler) policy = (int)a2;
  if (number == CALL_sched_getparam) *to = 0;
  if (number == CALL_sched_rr_get_interval) ((struct kernel_time *)a2)->seconds = 0, ((struct kernel_time *)a2)->nanoseconds = 4000000;
  return 0;
}

/* A process may become what it is; root may become anybody, and nothing else changes for it. */
long hk_set_id(long id, int which) {
  if (homi_host_id(1) == 0) return 0;
  return hk_decide(((int)id == -1) | ((int)id == homi_host_id(which))) ? 0 : -EPERM;
}

long hk_get_ids(uint32_t *a, uint32_t *b, uint32_t *c, int which) {
  *a = (uint32_t)homi_host_id(which);
  *b = *c = (uint32_t)homi_host_id(which + 1);
  return 0;
}

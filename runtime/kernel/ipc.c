/* System V IPC within one process: shared memory, semaphores and message queues by key or IPC_PRIVATE. What would
 * wait for another process is a named gap. Identifiers are positions in a table plus a count of uses, so that
 * an identifier that was removed is not met again. */
#include "internal.h"

enum { CREATE = 01000, EXCLUSIVE = 02000, NO_WAIT = 04000, NO_ERROR = 010000, EXCEPT = 020000 };
enum { REMOVE = 0, SET = 1, STAT = 2, VERSION = 0x100, NO_COMMAND = 64 };
enum { GETPID = 11, GETVAL, GETALL, GETNCNT, GETZCNT, SETVAL, SETALL };
enum { OBJECTS = 64, MOST_SEMAPHORES = 250, MOST_VALUE = 32767, MOST_MESSAGE = 8192, QUEUE_BYTES = 16384, MOST_OPERATIONS = 500 };
enum family { MEMORY, SEMAPHORES, MESSAGES, FAMILIES };

struct message {
  struct message *next;
  int64_t type;
  uint64_t size;
  unsigned char bytes[];
};

struct attachment {
  struct attachment *next;
  struct ipc *of;
};

struct ipc {
  int used, removed;      /* removed: shared memory that is still attached */
  int32_t key;
  uint32_t uid, gid, owner, group, mode;
  uint64_t size;          /* bytes of memory, number of semaphores, most bytes of a queue */
  uint64_t time[3];       /* seconds; as the family's structure has them */
  int32_t last[2];        /* processes: memory: last; queue: last sender, last receiver */
  unsigned char *object, *start; /* memory */
  uint64_t attached;
  int32_t *values, *processes;   /* semaphores */
  struct message *first;
  uint64_t bytes, count;
  unsigned sequence;
};

struct semaphore_operation {
  uint16_t number;
  int16_t change, flags;
};

static struct ipc objects[FAMILIES][OBJECTS];

static uint64_t seconds(void) { return (uint64_t)hk_now().seconds; }

static long id_of(enum family family, const struct ipc *ipc) {
  return (long)(ipc - objects[family]) + (long)ipc->sequence * OBJECTS;
}

static struct ipc *find(enum family family, long id, long *error) {
  int i;
  *error = 0;
  for (i = 0; i < OBJECTS; i++) {
    struct ipc *ipc = &objects[family][i];
    if ((ipc->used || ipc->removed) && hk_decide((int)id == id_of(family, ipc))) return ipc;
  }
  *error = -EINVAL;
  return 0;
}

static struct ipc *with_key(enum family family, int32_t key) {
  int i;
  for (i = 0; i < OBJECTS; i++)
    if (objects[family][i].used && hk_decide(objects[family][i].key == key)) return &objects[family][i];
  return 0;
}

static struct ipc *make(enum family family, int32_t key, long flags) {
  unsigned i = 0, sequence;
  struct ipc *ipc;
  while (i < OBJECTS && (objects[family][i].used || objects[family][i].removed)) i++;
  if (i == OBJECTS) {
    homi_note_concretized("no more than 64 objects of a kind of System V");
    return 0;
  }
  ipc = &objects[family][i];
  sequence = ipc->sequence;
  memset(ipc, 0, sizeof *ipc);
  ipc->used = 1;
  ipc->key = key;
  ipc->sequence = sequence;
  ipc->mode = (uint32_t)flags & 0777;
  ipc->uid = ipc->owner = (uint32_t)homi_host_id(1);
  ipc->gid = ipc->group = (uint32_t)homi_host_id(3);
  ipc->time[2] = seconds();
  return ipc;
}

static void forget(struct ipc *ipc) {
  free(ipc->object);
  free(ipc->values);
  free(ipc->processes);
  while (ipc->first) {
    struct message *gone = ipc->first;
    ipc->first = gone->next;
    free(gone);
  }
  ipc->used = ipc->removed = 0;
  ipc->object = 0, ipc->values = ipc->processes = 0;
  ipc->sequence++;
}

static int make_memory(struct ipc *ipc) {
  uint64_t n = (ipc->size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
  ipc->object = malloc(n + PAGE);
  if (!ipc->object) return 0;
  ipc->start = ipc->object + (-(uintptr_t)ipc->object & (PAGE - 1));
  memset(ipc->start, 0, n);
  return 1;
}

static int make_semaphores(struct ipc *ipc) {
  ipc->values = calloc(ipc->size, sizeof *ipc->values);
  ipc->processes = calloc(ipc->size, sizeof *ipc->processes);
  return ipc->values && ipc->processes;
}

/* shmget, semget, msgget: `size` is what the family counts. */
static long get(enum family family, long key, uint64_t size, long flags) {
  const uint64_t most[FAMILIES] = {(uint64_t)1 << 32, MOST_SEMAPHORES, QUEUE_BYTES};
  struct ipc *ipc;
  int made;
  const int has_key = hk_decide((int)key != 0);
  if (family == SEMAPHORES && hk_decide(size > MOST_SEMAPHORES)) return -EINVAL;
  ipc = has_key ? with_key(family, (int32_t)key) : 0;
  if (ipc) {
    if (hk_decide((flags & (CREATE | EXCLUSIVE)) == (CREATE | EXCLUSIVE))) return -EEXIST;
    return family != MESSAGES && hk_decide(size > ipc->size) ? -EINVAL : id_of(family, ipc);
  }
  if (has_key && hk_decide((flags & CREATE) == 0)) return -ENOENT;
  if (hk_decide((size == 0) | (size > most[family]))) return -EINVAL;
  size = homi_concretize(size);
  ipc = make(family, (int32_t)key, flags);
  if (!ipc) return -ENOSPC;
  ipc->size = size;
  made = family == MEMORY ? make_memory(ipc) : family == SEMAPHORES ? make_semaphores(ipc) : 1;
  if (made) return id_of(family, ipc);
  forget(ipc);
  return -ENOMEM;
}

/* ---- what the kernel tells: ipc64_perm and the families' structures ---- */

static void put(unsigned char *to, unsigned at, uint64_t value, unsigned bytes) { memcpy(to + at, &value, bytes); }

static void describe(enum family family, const struct ipc *ipc, unsigned char *to) {
  static const unsigned sizes[FAMILIES] = {112, 104, 120};
  memset(to, 0, sizes[family]);
  put(to, 0, (uint32_t)ipc->key, 4);
  put(to, 4, ipc->uid, 4);
  put(to, 8, ipc->gid, 4);
  put(to, 12, ipc->owner, 4);
  put(to, 16, ipc->group, 4);
  put(to, 20, ipc->mode | (ipc->removed ? 01000u : 0), 4);
  put(to, 24, ipc->sequence, 2);
  switch (family) {
  case MEMORY:
    put(to, 48, ipc->size, 8);
    put(to, 56, ipc->time[0], 8);
    put(to, 64, ipc->time[1], 8);
    put(to, 72, ipc->time[2], 8);
    put(to, 80, hk.process, 4);
    put(to, 84, (uint32_t)ipc->last[0], 4);
    put(to, 88, ipc->attached, 8);
    return;
  case SEMAPHORES:
    put(to, 48, ipc->time[0], 8);
    put(to, 64, ipc->time[2], 8);
    put(to, 80, ipc->size, 8);
    return;
  default:
    put(to, 48, ipc->time[0], 8);
    put(to, 56, ipc->time[1], 8);
    put(to, 64, ipc->time[2], 8);
    put(to, 72, ipc->bytes, 8);
    put(to, 80, ipc->count, 8);
    put(to, 88, ipc->size, 8);
    put(to, 96, (uint32_t)ipc->last[0], 4);
    put(to, 100, (uint32_t)ipc->last[1], 4);
  }
}

static uint32_t number_at(const unsigned char *from, unsigned at) {
  uint32_t number;
  memcpy(&number, from + at, 4);
  return number;
}

/* IPC_RMID, IPC_SET, IPC_STAT. */
static long control(enum family family, struct ipc *ipc, long command, unsigned char *buffer) {
  if (command == REMOVE) {
    if (family == MEMORY && ipc->attached) {
      ipc->used = 0, ipc->removed = 1, ipc->key = 0;
      return 0;
    }
    forget(ipc);
    return 0;
  }
  if (command != STAT && command != SET) return -EINVAL;
  if (hk_bad(buffer)) return -EFAULT;
  if (command == STAT) {
    describe(family, ipc, buffer);
    return 0;
  }
  ipc->uid = number_at(buffer, 4);
  ipc->gid = number_at(buffer, 8);
  ipc->mode = number_at(buffer, 20) & 0777;
  if (family == MESSAGES) memcpy(&ipc->size, buffer + 88, 8);
  ipc->time[2] = seconds();
  return 0;
}

/* The command of a control call; all unknown numbers are one command. */
static long command_of(long command) { return (long)hk_below((uint32_t)command & ~(uint32_t)VERSION, NO_COMMAND); }

static long control_by_id(enum family family, long id, long command, unsigned char *buffer) {
  long error;
  struct ipc *ipc = find(family, id, &error);
  return ipc ? control(family, ipc, command_of(command), buffer) : error;
}

/* ---- shared memory: every attachment is at the same address ---- */

long hk_shmget(long key, uint64_t size, long flags) { return get(MEMORY, key, size, flags); }

long hk_shmctl(long id, long command, unsigned char *buffer) { return control_by_id(MEMORY, id, command, buffer); }

long hk_shmat(long id, long address) {
  long error;
  struct ipc *ipc = find(MEMORY, id, &error);
  if (!ipc) return error;
  if (address) return -EINVAL; /* a program cannot choose the address of an object */
  ipc->attached++;
  ipc->time[0] = seconds();
  ipc->last[0] = hk.process;
  return (long)ipc->start;
}

long hk_shmdt(const unsigned char *address) {
  int i;
  for (i = 0; i < OBJECTS; i++) {
    struct ipc *ipc = &objects[MEMORY][i];
    if (!ipc->attached || ipc->start != address) continue;
    ipc->time[1] = seconds();
    if (--ipc->attached == 0 && ipc->removed) forget(ipc);
    return 0;
  }
  return -EINVAL;
}

/* ---- semaphores ---- */

long hk_semget(long key, long count, long flags) { return get(SEMAPHORES, key, (uint64_t)(int)count, flags); }

/* Does all operations or none: 0; -EAGAIN: one has to wait (`*at` says which); -errno. */
static long operate(struct ipc *ipc, const struct semaphore_operation *operations, uint64_t count, uint64_t *at) {
  int32_t values[MOST_SEMAPHORES];
  uint64_t i;
  memcpy(values, ipc->values, ipc->size * sizeof *values);
  for (i = 0; i < count; i++) {
    int32_t *value = &values[operations[i].number];
    *at = i;
    if (operations[i].change == 0 ? hk_decide(*value != 0) : hk_decide(*value + operations[i].change < 0)) return -EAGAIN;
    if (hk_decide(*value + operations[i].change > MOST_VALUE)) return -ERANGE;
    *value += operations[i].change;
  }
  memcpy(ipc->values, values, ipc->size * sizeof *values);
  for (i = 0; i < count; i++) ipc->processes[operations[i].number] = hk.process;
  ipc->time[0] = seconds();
  return 0;
}

long hk_semtimedop(long id, const struct semaphore_operation *operations, uint64_t count, const struct kernel_time *limit) {
  long error;
  struct ipc *ipc = find(SEMAPHORES, id, &error);
  unsigned sequence;
  uint64_t i, at = 0, deadline;
  if (hk_decide(count == 0)) return -EINVAL;
  if (hk_decide(count > MOST_OPERATIONS)) return -E2BIG;
  if (hk_bad(operations)) return -EFAULT;
  homi_require_room(operations, count * sizeof *operations, 0);
  count = homi_concretize(count);
  if (!ipc) return error;
  for (i = 0; i < count; i++)
    if (hk_decide(operations[i].number >= ipc->size)) return -EFBIG;
  deadline = hk_deadline_of(limit, 0, &error);
  if (error) return error;
  sequence = ipc->sequence;
  while ((error = operate(ipc, operations, count, &at)) == -EAGAIN) {
    if (operations[at].flags & NO_WAIT) return -EAGAIN;
    error = hk_wait(deadline, 0, "semop waits for ever");
    if (error == -ETIMEDOUT) return -EAGAIN;
    if (error) return error;
    if (ipc->sequence != sequence) return -EIDRM;
  }
  return error;
}

long hk_semctl(long id, long number, long command, long argument) {
  long error;
  struct ipc *ipc = find(SEMAPHORES, id, &error);
  uint16_t *all = (uint16_t *)argument;
  uint64_t i;
  if (!ipc) return error;
  command = command_of(command);
  number = (long)hk_below((uint32_t)number, ipc->size);
  if (command < GETPID || command > SETALL) return control(SEMAPHORES, ipc, command, (unsigned char *)argument);
  if (command != GETALL && command != SETALL && (uint64_t)number == ipc->size) return -EINVAL;
  switch (command) {
  case GETPID: return ipc->processes[number];
  case GETVAL: return ipc->values[number];
  case GETNCNT: case GETZCNT: return 0;
  case SETVAL:
    if (hk_decide((uint32_t)argument > MOST_VALUE)) return -ERANGE;
    ipc->values[number] = (int)argument;
    ipc->processes[number] = hk.process;
    break;
  case SETALL:
    for (i = 0; i < ipc->size; i++)
      if (all[i] > MOST_VALUE) return -ERANGE;
    for (i = 0; i < ipc->size; i++) ipc->values[i] = all[i], ipc->processes[i] = hk.process;
    break;
  default:
    for (i = 0; i < ipc->size; i++) all[i] = (uint16_t)ipc->values[i];
    return 0;
  }
  ipc->time[2] = seconds();
  return 0;
}

/* ---- message queues ---- */

long hk_msgget(long key, long flags) { return get(MESSAGES, key, QUEUE_BYTES, flags); }

long hk_msgctl(long id, long command, unsigned char *buffer) { return control_by_id(MESSAGES, id, command, buffer); }

long hk_msgsnd(long id, const unsigned char *from, uint64_t n, long flags) {
  long error;
  struct ipc *ipc = find(MESSAGES, id, &error);
  struct message *message, **end;
  unsigned sequence;
  int64_t type;
  flags = (long)homi_concretize((unsigned)flags & NO_WAIT);
  if (hk_decide(n > MOST_MESSAGE)) return -EINVAL;
  if (hk_bad(from)) return -EFAULT;
  homi_require_room(from, n + sizeof type, 0);
  n = homi_concretize(n);
  memcpy(&type, from, sizeof type);
  type = (int64_t)homi_concretize((uint64_t)type);
  if (type < 1) return -EINVAL;
  if (!ipc) return error;
  sequence = ipc->sequence;
  while (ipc->bytes + n > ipc->size || ipc->count + 1 > ipc->size) {
    if (flags & NO_WAIT) return -EAGAIN;
    error = hk_wait(0, 0, "msgsnd waits for ever");
    if (error) return error;
    if (ipc->sequence != sequence) return -EIDRM;
  }
  message = malloc(sizeof *message + n);
  if (!message) return -ENOMEM;
  message->next = 0;
  message->type = type;
  message->size = n;
  memcpy(message->bytes, from + sizeof type, n);
  for (end = &ipc->first; *end; end = &(*end)->next) {}
  *end = message;
  ipc->bytes += n;
  ipc->count++;
  ipc->time[0] = seconds();
  ipc->last[0] = hk.process;
  return 0;
}

/* The link to the message that is wanted: the first; the first (or first other than) of a type; the least up to -type. */
static struct message **wanted(struct ipc *ipc, int64_t type, long flags) {
  struct message **link, **best = 0;
  for (link = &ipc->first; *link; link = &(*link)->next) {
    int64_t found = (*link)->type;
    if (type == 0 || (type > 0 && (found == type) != ((flags & EXCEPT) != 0))) return link;
    if (type < 0 && found <= -type && (!best || found < (*best)->type)) best = link;
  }
  return best;
}

long hk_msgrcv(long id, unsigned char *to, uint64_t n, int64_t type, long flags) {
  long error;
  struct ipc *ipc = find(MESSAGES, id, &error);
  struct message **link, *message;
  unsigned sequence;
  type = (int64_t)homi_concretize((uint64_t)type);
  flags = (int)homi_concretize((unsigned long)flags);
  if (hk_decide((int64_t)n < 0)) return -EINVAL;
  if (!ipc) return error;
  if (hk_bad(to)) return -EFAULT;
  sequence = ipc->sequence;
  while (!(link = wanted(ipc, type, flags))) {
    if (flags & NO_WAIT) return -ENOMSG;
    error = hk_wait(0, 0, "msgrcv waits for ever");
    if (error) return error;
    if (ipc->sequence != sequence) return -EIDRM;
  }
  message = *link;
  if (!(flags & NO_ERROR) && hk_decide(message->size > n)) return -E2BIG;
  n = hk_at_most(n, message->size);
  memcpy(to, &message->type, sizeof message->type);
  memcpy(to + sizeof message->type, message->bytes, n);
  *link = message->next;
  ipc->bytes -= message->size;
  ipc->count--;
  ipc->time[1] = seconds();
  ipc->last[1] = hk.process;
  free(message);
  return (long)n;
}

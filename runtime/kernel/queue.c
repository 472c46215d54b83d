/* POSIX message queues: named, ordered by priority, opened as descriptors. */
#include "internal.h"

enum { MOST_MESSAGES = 10, MOST_BYTES = 8192, MOST_MESSAGES_OF_ROOT = 65536, MOST_BYTES_OF_ROOT = 16 << 20, PRIORITIES = 32768 };
enum { NOTIFY_SIGNAL = 0, NOTIFY_NONE = 1, SI_MESGQ = -3, POLLIN = 1, POLLOUT = 4, POLLRDNORM = 64, POLLWRNORM = 256 };

/* struct mq_attr. */
struct attributes {
  int64_t flags, most, size, now, reserved[4];
};

struct message {
  struct message *next;
  uint32_t priority;
  uint64_t size;
  unsigned char bytes[];
};

struct queue {
  struct queue *next;
  struct inode *inode;
  char *name;              /* null: unlinked */
  int64_t most, size, now;
  struct message *first;   /* the highest priority, then the oldest */
  int notified;            /* a process asked for a notification of the next message */
  int notify, number;
  uint64_t value;
};

struct notification {
  uint64_t value;
  int32_t number, notify;
};

static struct queue *queues;

static long check_name(const char *name, unsigned long *length) {
  unsigned long i;
  if (hk_bad(name)) return -EFAULT;
  homi_concretize_string(name);
  for (i = 0; name[i]; i++)
    if (name[i] == '/') return -EACCES;
  *length = i;
  if (i == 0) return -ENOENT;
  return i > NAME_LIMIT ? -ENAMETOOLONG : 0;
}

static struct queue *named(const char *name) {
  struct queue *queue;
  for (queue = queues; queue; queue = queue->next)
    if (queue->name && strcmp(queue->name, name) == 0) return queue;
  return 0;
}

static const struct file_operations message_queue;

static long make(const char *name, unsigned long length, long mode, const struct attributes *wish, struct queue **made) {
  const int is_root = homi_host_id(1) == 0;
  int64_t most = MOST_MESSAGES, size = MOST_BYTES;
  struct queue *queue;
  if (wish) {
    const int64_t last_most = is_root ? MOST_MESSAGES_OF_ROOT : MOST_MESSAGES, last_size = is_root ? MOST_BYTES_OF_ROOT : MOST_BYTES;
    if (hk_decide((wish->most <= 0) | (wish->size <= 0) | (wish->most > last_most) | (wish->size > last_size))) return -EINVAL;
    most = (int64_t)homi_concretize((uint64_t)wish->most);
    size = (int64_t)homi_concretize((uint64_t)wish->size);
  }
  queue = calloc(1, sizeof *queue);
  queue->name = malloc(length + 1);
  memcpy(queue->name, name, length + 1);
  queue->most = most;
  queue->size = size;
  queue->inode = hk_new_inode(&message_queue, S_IFREG | ((uint32_t)mode & 0777 & ~hk.umask));
  queue->inode->stat->st_size = 80;
  queue->inode->object = queue;
  queue->next = queues;
  queues = queue;
  *made = queue;
  return 0;
}

long hk_mq_open(const char *name, long flags, long mode, const struct attributes *wish) {
  unsigned long length;
  long error = check_name(name, &length);
  struct queue *queue;
  if (error < 0) return error;
  flags = (int)homi_concretize((unsigned long)flags);
  queue = named(name);
  if (queue && (flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
  if ((flags & O_ACCMODE) == 3) return -EINVAL;
  if (queue) {
    const int access = flags & O_ACCMODE;
    int wanted = access == O_RDONLY ? MAY_READ : access == O_WRONLY ? MAY_WRITE : MAY_READ | MAY_WRITE;
    if (!hk_allowed(queue->inode, wanted)) return -EACCES;
  } else {
    if (!(flags & O_CREAT)) return -ENOENT;
    error = make(name, length, mode, wish, &queue);
    if (error < 0) return error;
  }
  return hk_install(hk_new_file(queue->inode, (int)flags & (O_ACCMODE | O_NONBLOCK)), 0, 1);
}

static void destroy(struct queue *queue) {
  struct queue **link = &queues;
  while (*link != queue) link = &(*link)->next;
  *link = queue->next;
  while (queue->first) {
    struct message *gone = queue->first;
    queue->first = gone->next;
    free(gone);
  }
  free(queue);
}

/* The last descriptor of an open file was closed. */
static void closed(struct open_file *file) {
  struct inode *inode = file->inode;
  struct queue *queue = inode->object;
  queue->notified = 0; /* the only process that could have asked closed it */
  if (inode->opens == 0 && !queue->name) destroy(queue);
}

long hk_mq_unlink(const char *name) {
  unsigned long length;
  long error = check_name(name, &length);
  struct queue *queue;
  if (error < 0) return error;
  queue = named(name);
  if (!queue) return -ENOENT;
  free(queue->name);
  queue->name = 0;
  if (queue->inode->opens == 0) destroy(queue);
  return 0;
}

static struct open_file *queue_file(long descriptor, int mode) {
  struct open_file *file = hk_file(descriptor);
  if (!file || file->inode->kind != INODE_QUEUE) return 0;
  return (file->flags & O_ACCMODE) == mode ? 0 : file;
}

static int events(const struct open_file *file) {
  const struct queue *queue = file->inode->object;
  return (queue->now > 0 ? POLLIN | POLLRDNORM : 0) | (queue->now < queue->most ? POLLOUT | POLLWRNORM : 0);
}

static const struct file_operations message_queue = {.kind = INODE_QUEUE, .refuses_sync = 1, .events = events, .closed = closed};

/* Told once, of a message that comes into the empty queue. */
static void notify(struct queue *queue) {
  if (!queue->notified || queue->now != 1) return;
  queue->notified = 0;
  if (queue->notify == NOTIFY_SIGNAL) hk_raise_about(queue->number, SI_MESGQ, 0, queue->value);
}

static long wait_while(struct open_file *file, const struct queue *queue, int is_sender, uint64_t deadline) {
  while (is_sender ? queue->now >= queue->most : queue->now == 0) {
    long error;
    if (file->flags & O_NONBLOCK) return -EAGAIN;
    error = hk_wait(deadline, 0, is_sender ? "mq_send waits for ever" : "mq_receive waits for ever");
    if (error) return error;
  }
  return 0;
}

long hk_mq_send(long descriptor, const void *bytes, uint64_t n, uint64_t priority, const struct kernel_time *limit) {
  struct open_file *file;
  struct queue *queue;
  struct message *message, **link;
  long error;
  uint64_t deadline;
  if (hk_decide((uint32_t)priority >= PRIORITIES)) return -EINVAL;
  deadline = hk_deadline_of(limit, 1, &error);
  if (error) return error;
  file = queue_file(descriptor, O_RDONLY);
  if (!file) return -EBADF;
  queue = file->inode->object;
  if (hk_decide(n > (uint64_t)queue->size)) return -EMSGSIZE;
  if (hk_bad(bytes) && hk_decide(n != 0)) return -EFAULT;
  homi_require_room(bytes, n, 0);
  n = homi_concretize(n);
  error = wait_while(file, queue, 1, deadline);
  if (error) return error;
  message = malloc(sizeof *message + n);
  if (!message) return -ENOMEM;
  message->priority = (uint32_t)priority;
  message->size = n;
  memcpy(message->bytes, bytes, n);
  for (link = &queue->first; *link && hk_decide((*link)->priority >= (uint32_t)priority); link = &(*link)->next) {}
  message->next = *link;
  *link = message;
  queue->now++;
  notify(queue);
  hk_wake(file->inode, 0);
  return 0;
}

long hk_mq_receive(long descriptor, void *to, uint64_t n, uint32_t *priority, const struct kernel_time *limit) {
  struct open_file *file;
  struct queue *queue;
  struct message *message;
  long error;
  uint64_t deadline = hk_deadline_of(limit, 1, &error);
  if (error) return error;
  file = queue_file(descriptor, O_WRONLY);
  if (!file) return -EBADF;
  queue = file->inode->object;
  if (hk_decide(n < (uint64_t)queue->size)) return -EMSGSIZE;
  if (hk_bad(to)) return -EFAULT;
  error = wait_while(file, queue, 0, deadline);
  if (error) return error;
  message = queue->first;
  queue->first = message->next;
  queue->now--;
  n = message->size;
  memcpy(to, message->bytes, n);
  if (priority) *priority = message->priority;
  free(message);
  hk_wake(file->inode, 0);
  return (long)n;
}

long hk_mq_notify(long descriptor, const struct notification *wish) {
  struct open_file *file = hk_file(descriptor);
  struct queue *queue;
  int kind = 0, number = 0;
  if (wish) {
    kind = (int)hk_int(wish->notify, NOTIFY_SIGNAL, NOTIFY_NONE);
    number = (int)hk_int(wish->number, 0, SIGNAL_LIMIT);
    if (kind != NOTIFY_SIGNAL && kind != NOTIFY_NONE) return -EINVAL;
    if (kind == NOTIFY_SIGNAL && (number < 0 || number > SIGNAL_LIMIT)) return -EINVAL;
  }
  if (!file || file->inode->kind != INODE_QUEUE) return -EBADF;
  queue = file->inode->object;
  if (!wish) {
    queue->notified = 0;
    return 0;
  }
  if (queue->notified) return -EBUSY;
  queue->notified = 1;
  queue->notify = kind;
  queue->number = number;
  queue->value = wish->value;
  return 0;
}

long hk_mq_attributes(long descriptor, const struct attributes *wish, struct attributes *old) {
  struct open_file *file = hk_file(descriptor);
  struct queue *queue;
  int64_t flags = 0;
  if (wish && hk_decide((wish->flags & ~(int64_t)O_NONBLOCK) != 0)) return -EINVAL;
  if (wish) flags = (int64_t)homi_concretize((uint64_t)wish->flags);
  if (!file || file->inode->kind != INODE_QUEUE) return -EBADF;
  queue = file->inode->object;
  if (old) {
    memset(old, 0, sizeof *old);
    old->flags = file->flags & O_NONBLOCK;
    old->most = queue->most;
    old->size = queue->size;
    old->now = queue->now;
  }
  if (wish) file->flags = (file->flags & ~O_NONBLOCK) | (int)flags;
  return 0;
}

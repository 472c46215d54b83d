/* Socket pairs (AF_UNIX): two ends of one process, each with a queue of what the other has sent. Sockets with names are refused
 * by syscall.c as by a kernel without them, so nothing here is ever bound, listened to or accepted.
 *
 * An end outlives its descriptors while the other one holds it: `closed` says that it has none any more. */
#include "internal.h"

enum { AF_UNIX = 1, STREAM = 1, DATAGRAM = 2, RAW = 3, SEQUENCED = 5, LAST_TYPE = 10, LAST_FAMILY = 46 };
enum { PEEK = 2, TRUNCATE = 0x20, DONT_WAIT = 0x40, WAIT_ALL = 0x100, NO_SIGNAL = 0x4000, OUT_OF_BAND = 1, CLOSE_ON_EXEC = 0x40000000 };
enum { SHUT_READ = 1, SHUT_WRITE = 2, SHUT_BOTH = 3 };
enum { ECONNRESET_ = 104, ECONNREFUSED_ = 111, EISCONN_ = 106, ENOTCONN_ = 107, ENOPROTOOPT_ = 92, EPROTONOSUPPORT_ = 93,
       ESOCKTNOSUPPORT_ = 94, EDOM_ = 33 };
enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, POLLRDNORM = 64, POLLWRNORM = 256, POLLRDHUP = 0x2000 };
enum { CONTROL_TRUNCATED = 8 };
enum { BUFFER = 212992, MOST_BUFFER = 2 * 212992, OPTIONS = 64 };
enum { SO_DEBUG = 1, SO_REUSEADDR, SO_TYPE, SO_ERROR, SO_DONTROUTE, SO_BROADCAST, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_OOBINLINE,
       SO_PRIORITY = 12, SO_LINGER = 13, SO_REUSEPORT = 15, SO_PASSCRED = 16, SO_PEERCRED = 17, SO_RCVLOWAT, SO_SNDLOWAT,
       SO_RCVTIMEO, SO_SNDTIMEO, SO_TIMESTAMP = 29, SO_ACCEPTCONN = 30, SO_PASSSEC = 34, SO_MARK = 36, SO_PROTOCOL = 38, SO_DOMAIN = 39 };

/* The data of one send call. */
struct packet {
  struct packet *next;
  uint64_t size, taken;
  struct luggage *luggage;     /* null: none */
  unsigned char bytes[];
};

struct socket {
  int type;
  int closed;
  int shut;                    /* a sum of SHUT_READ and SHUT_WRITE */
  int error;                   /* that the next call gets; 0: none */
  struct inode *peer;          /* null: a datagram was refused */
  struct packet *first, *last;
  uint64_t waiting;            /* bytes in the queue */
  int32_t options[OPTIONS];
  int64_t limits[2][2];        /* time limits of reading and writing: seconds and microseconds */
};

/* struct msghdr. */
struct message {
  void *name;
  uint32_t name_length;
  struct io_vector *parts;
  size_t part_count;
  void *control;
  size_t control_length;
  int32_t flags;
};

/* struct mmsghdr. */
struct many_message {
  struct message message;
  uint32_t length;
};

static struct socket *of(const struct inode *inode) { return inode->object; }

static int is_stream(const struct socket *socket) { return socket->type == STREAM; }

static const struct file_operations end_of_pair;

static struct inode *make(int type) {
  struct inode *inode = hk_new_inode(&end_of_pair, S_IFSOCK | 0777);
  struct socket *socket = calloc(1, sizeof *socket);
  socket->type = type;
  socket->options[SO_SNDBUF] = socket->options[SO_RCVBUF] = BUFFER;
  socket->options[SO_RCVLOWAT] = socket->options[SO_SNDLOWAT] = 1;
  inode->object = socket;
  inode->stat->st_dev = PIPES;
  inode->stat->st_nlink = 1;
  return inode;
}

static long make_pair(long family, long kind, long protocol, int *descriptors) {
  const int close_on_exec = (kind & O_CLOEXEC) != 0, mode = O_RDWR | (int)(kind & O_NONBLOCK);
  struct inode *ends[2];
  long first, second;
  int type = (int)kind & 15;
  if (kind & ~(long)(15 | O_CLOEXEC | O_NONBLOCK)) return -EINVAL;
  if (family < 0 || family >= LAST_FAMILY) return -EAFNOSUPPORT;
  if (type < 1 || type > LAST_TYPE) return -EINVAL;
  if (family == 2 || family == 10) return type == STREAM || type == DATAGRAM ? -EOPNOTSUPP : -ESOCKTNOSUPPORT_;
  if (family != AF_UNIX) return -EAFNOSUPPORT;
  if (protocol != 0 && protocol != AF_UNIX) return -EPROTONOSUPPORT_;
  if (type == RAW) type = DATAGRAM;
  if (type != STREAM && type != DATAGRAM && type != SEQUENCED) return -ESOCKTNOSUPPORT_;
  if (hk_bad(descriptors)) return -EFAULT;
  ends[0] = make(type);
  ends[1] = make(type);
  of(ends[0])->peer = ends[1];
  of(ends[1])->peer = ends[0];
  first = hk_install(hk_new_file(ends[0], mode), 0, close_on_exec);
  if (first < 0) return first;
  second = hk_install(hk_new_file(ends[1], mode), 0, close_on_exec);
  if (second < 0) {
    hk_close(first);
    return second;
  }
  descriptors[0] = (int)first;
  descriptors[1] = (int)second;
  return 0;
}

/* ---- queues ---- */

static void append(struct inode *to, struct packet *packet) {
  struct socket *socket = of(to);
  packet->next = 0;
  if (socket->last) socket->last->next = packet;
  else socket->first = packet;
  socket->last = packet;
  socket->waiting += packet->size;
  hk_wake(to, POLLIN | POLLRDNORM);
}

static uint64_t room(const struct socket *own);

/* A quarter of the buffer may be in use. */
static int is_writable(const struct socket *own) { return room(own) * 4 >= (uint64_t)own->options[SO_SNDBUF] * 3; }

static void drop_first(struct socket *socket) {
  struct packet *packet = socket->first;
  hk_drop_luggage(packet->luggage);
  socket->first = packet->next;
  if (!socket->first) socket->last = 0;
  socket->waiting -= packet->size - packet->taken;
  free(packet);
  if (socket->peer && is_writable(of(socket->peer))) hk_wake(socket->peer, POLLOUT | POLLWRNORM);
}

static uint64_t total_of(const struct io_vector *parts, long count) {
  uint64_t total = 0;
  for (; count > 0; count--, parts++) total += homi_concretize(parts->length);
  return total;
}

/* Returns the size of data to send, after a check that all of its bytes exist. */
static uint64_t sent_total(const struct io_vector *parts, long count) {
  long i;
  for (i = 0; i < count; i++) homi_require_room(parts[i].base, parts[i].length, 0);
  return total_of(parts, count);
}

/* Room for what is received beyond which there is nothing. */
static uint64_t useful(const struct socket *own, uint64_t room) {
  const uint64_t most = own->waiting ? own->waiting : BUFFER;
  return klee_is_symbolic(room) ? hk_at_most(room, most) : room;
}

/* `n` bytes of a message from `offset` on as a packet. */
static struct packet *gather(const struct io_vector *parts, long count, uint64_t offset, uint64_t n) {
  struct packet *packet = malloc(sizeof *packet + n);
  uint64_t filled = 0;
  packet->size = n;
  packet->taken = 0;
  packet->luggage = 0;
  for (; count > 0 && filled < n; count--, parts++) {
    uint64_t length = homi_concretize(parts->length), part;
    if (offset >= length) {
      offset -= length;
      continue;
    }
    part = length - offset;
    if (part > n - filled) part = n - filled;
    memcpy(packet->bytes + filled, parts->base + offset, part);
    filled += part;
    offset = 0;
  }
  return packet;
}

/* The bytes at `offset` of a message, as many as there are. */
static uint64_t scatter(const struct io_vector *parts, long count, uint64_t offset, const unsigned char *from, uint64_t n) {
  uint64_t done = 0;
  for (; count > 0 && done < n; count--, parts++) {
    uint64_t length = homi_concretize(parts->length), part;
    if (offset >= length) {
      offset -= length;
      continue;
    }
    part = length - offset;
    if (part > n - done) part = n - done;
    memcpy(parts->base + offset, from + done, part);
    done += part;
    offset = 0;
  }
  return done;
}

/* ---- waiting ---- */

static uint64_t deadline_of(const struct socket *socket, int writes) {
  const int64_t *limit = socket->limits[writes];
  return limit[0] || limit[1] ? hk_clock() + (uint64_t)(limit[0] * 1000000 + limit[1]) * 1000 : 0;
}

/* One step; 0 or the error of a call that does not go on. */
static long wait(const struct open_file *file, long flags, uint64_t deadline, const char *what) {
  long waited;
  if ((file->flags & O_NONBLOCK) || (flags & DONT_WAIT)) return -EAGAIN;
  waited = hk_wait(deadline, 0, what);
  return waited == -ETIMEDOUT ? -EAGAIN : waited;
}

static long take_error(struct socket *socket) {
  long error = -socket->error;
  socket->error = 0;
  return error;
}

/* ---- sending ---- */

static uint64_t room(const struct socket *own) {
  const struct socket *peer = own->peer ? of(own->peer) : 0;
  const uint64_t most = (uint64_t)own->options[SO_SNDBUF], used = peer && !peer->closed ? peer->waiting : 0;
  return used < most ? most - used : 0;
}

static struct packet *with(struct packet *packet, struct luggage **luggage) {
  packet->luggage = *luggage;
  *luggage = 0;
  return packet;
}

static long broken_pipe(const struct socket *socket, long flags) {
  if (is_stream(socket) && !(flags & NO_SIGNAL)) hk_raise(SIGPIPE);
  return -EPIPE;
}

/* Returns the error of a send; 0 if the socket can send. */
static long refusal(struct socket *own, long flags) {
  struct socket *peer;
  if (!is_stream(own) && own->error) return take_error(own);
  if (own->shut & SHUT_WRITE) return broken_pipe(own, flags);
  if (!own->peer) return -ENOTCONN_;
  peer = of(own->peer);
  if (peer->closed && own->type == DATAGRAM) {
    own->peer = 0;
    while (own->first) drop_first(own);
    return -ECONNREFUSED_;
  }
  return peer->closed || (peer->shut & SHUT_READ) ? broken_pipe(own, flags) : 0;
}

/* `luggage` goes with the first bytes. */
static long send_stream(struct open_file *file, const struct io_vector *parts, long count, long flags, struct luggage **luggage) {
  struct socket *own = of(file->inode);
  const uint64_t total = sent_total(parts, count), deadline = deadline_of(own, 1);
  uint64_t done = 0;
  do {
    uint64_t n = total - done, free_bytes;
    long error = refusal(own, flags);
    if (error < 0) return done ? (long)done : error;
    free_bytes = room(own);
    if (n > free_bytes) n = free_bytes;
    if (n > 0) append(own->peer, with(gather(parts, count, done, n), luggage));
    done += n;
    if (done < total) error = wait(file, flags, deadline, "write to a full socket waits for ever");
    if (error < 0) return done ? (long)done : error;
  } while (done < total);
  return (long)done;
}

static long send_packet(struct open_file *file, const struct io_vector *parts, long count, long flags, struct luggage **luggage) {
  struct socket *own = of(file->inode);
  const uint64_t total = sent_total(parts, count), deadline = deadline_of(own, 1);
  if (total > (uint64_t)own->options[SO_SNDBUF] - 32) return -EMSGSIZE;
  for (;;) {
    long error = refusal(own, flags);
    if (error == -ECONNREFUSED_) hk_wake(file->inode, 0);
    if (error < 0) return error;
    /* One packet may always go. */
    if (total <= room(own) || of(own->peer)->waiting == 0) break;
    error = wait(file, flags, deadline, "write to a full socket waits for ever");
    if (error < 0) return error;
  }
  append(own->peer, with(gather(parts, count, 0, total), luggage));
  return (long)total;
}

static long send(struct open_file *file, const struct io_vector *parts, long count, long flags, struct luggage **luggage) {
  if (flags & OUT_OF_BAND) return -EOPNOTSUPP;
  hk_interrupted();
  return is_stream(of(file->inode)) ? send_stream(file, parts, count, flags, luggage) : send_packet(file, parts, count, flags, luggage);
}

static long send_plain(struct open_file *file, const struct io_vector *parts, long count, long flags) {
  struct luggage *none = 0;
  return send(file, parts, count, flags, &none);
}

/* Moves the files and credentials of a packet to the receiver; copies them if the packet stays. */
static struct luggage *pick_up(struct packet *packet, long flags) {
  struct luggage *luggage = packet->luggage;
  if (!luggage || !(flags & PEEK)) {
    packet->luggage = 0;
    return luggage;
  }
  return hk_copy_luggage(luggage);
}

/* ---- receiving ---- */

/* Returns 1 at the end of the stream, -errno for an error, 0 if data may still arrive. */
static long ending(struct socket *own) {
  if (own->error) return take_error(own);
  return own->shut & SHUT_READ ? 1 : 0;
}

/* Bytes of the queue, which goes on being one if `flags` say so, and what goes along with the first of them that has something. A
 * read ends behind open files. */
static uint64_t take_bytes(struct socket *own, const struct io_vector *parts, long count, uint64_t done, uint64_t wanted, long flags,
                           struct luggage **found) {
  struct packet *packet = own->first;
  while (packet && wanted > 0 && !(*found && (*found)->count)) {
    struct packet *next = packet->next;
    uint64_t n = packet->size - packet->taken;
    if (packet->luggage) {
      hk_drop_luggage(*found);
      *found = pick_up(packet, flags);
    }
    if (n > wanted) n = wanted;
    scatter(parts, count, done, packet->bytes + packet->taken, n);
    done += n;
    wanted -= n;
    if (!(flags & PEEK)) {
      packet->taken += n;
      own->waiting -= n;
      if (packet->taken == packet->size) drop_first(own);
    }
    packet = next;
  }
  return done;
}

static long receive_stream(struct open_file *file, const struct io_vector *parts, long count, long flags, struct luggage **found) {
  struct socket *own = of(file->inode);
  const uint64_t total = total_of(parts, count), deadline = deadline_of(own, 0);
  uint64_t done = 0;
  if (total == 0 && !own->first) {
    long error = ending(own);
    if (error == 0) error = wait(file, flags, deadline, "read from a socket waits for ever");
    return error > 0 ? 0 : error;
  }
  while (done < total) {
    long error;
    uint64_t before = done;
    done = take_bytes(own, parts, count, done, total - done, flags, found);
    if (done == total || (*found && (*found)->count) || (done > 0 && (!(flags & WAIT_ALL) || (flags & PEEK)))) break;
    if (done > before) continue;
    error = ending(own);
    if (error == 0) error = wait(file, flags, deadline, "read from a socket waits for ever");
    if (error > 0) break;
    if (error < 0) return done ? (long)done : error;
  }
  return (long)done;
}

static long receive_packet(struct open_file *file, const struct io_vector *parts, long count, long flags, int32_t *answer,
                           struct luggage **found) {
  struct socket *own = of(file->inode);
  const uint64_t total = total_of(parts, count), deadline = deadline_of(own, 0);
  struct packet *packet;
  uint64_t size;
  while (own->error || !own->first) {
    long error = ending(own);
    /* A blocking datagram socket reads the end of file, a non-blocking one gets EAGAIN. */
    const int at_end = error > 0 && (own->type == SEQUENCED || !((file->flags & O_NONBLOCK) || (flags & DONT_WAIT)));
    if (at_end) return 0;
    if (error >= 0) error = wait(file, flags, deadline, "read from a socket waits for ever");
    if (error < 0) return error;
  }
  packet = own->first;
  size = packet->size;
  scatter(parts, count, 0, packet->bytes, size);
  if (size > total) *answer |= TRUNCATE;
  *found = pick_up(packet, flags);
  if (!(flags & PEEK)) drop_first(own);
  return (long)(size > total && !(flags & TRUNCATE) ? total : size);
}

static long receive(struct open_file *file, const struct io_vector *parts, long count, long flags, int32_t *answer,
                    struct control *control) {
  if (flags & OUT_OF_BAND) return is_stream(of(file->inode)) ? -EINVAL : -EOPNOTSUPP;
  struct luggage *found = 0;
  struct socket *own = of(file->inode);
  long n;
  hk_interrupted();
  n = is_stream(own) ? receive_stream(file, parts, count, flags, &found) : receive_packet(file, parts, count, flags, answer, &found);
  if (control && n > 0) hk_unpack(control, found, own->options[SO_PASSCRED]);
  hk_drop_luggage(found);
  return n;
}

static long read_parts(struct open_file *file, const struct io_vector *parts, long count) {
  int32_t answer = 0;
  struct io_vector only;
  if (count == 1) {
    only.base = parts->base;
    only.length = useful(of(file->inode), parts->length);
    parts = &only;
  }
  /* read of no bytes asks nothing. */
  return total_of(parts, count) ? receive(file, parts, count, 0, &answer, 0) : 0;
}

/* ---- what others ask ---- */

static int events(const struct open_file *file) {
  const struct socket *own = of(file->inode);
  int events = 0;
  if (own->error) events |= POLLERR;
  if (own->shut == SHUT_BOTH) events |= POLLHUP;
  if (own->shut & SHUT_READ) events |= POLLRDHUP | POLLIN | POLLRDNORM;
  if (own->first) events |= POLLIN | POLLRDNORM;
  if (is_writable(own)) events |= POLLOUT | POLLWRNORM;
  return events;
}

/* Result of FIONREAD. */
static int64_t available(const struct open_file *file) {
  const struct socket *own = of(file->inode);
  return (int64_t)(own->type == DATAGRAM && own->first ? own->first->size : own->waiting);
}

static void forget(struct inode *inode) {
  free(inode->object);
  inode->object = 0;
}

/* When the last descriptor is gone, the other end hears of it. */
static void closed(struct open_file *file) {
  struct inode *inode = file->inode;
  struct socket *own = of(inode), *peer = own->peer ? of(own->peer) : 0;
  const int unread = own->first != 0;
  if (inode->opens > 0) return;
  while (own->first) drop_first(own);
  own->closed = 1;
  if (peer && !peer->closed && own->type != DATAGRAM) {
    peer->shut = SHUT_BOTH;
    if (unread) peer->error = ECONNRESET_;
    hk_wake(own->peer, 0);
  }
  if (peer && peer->closed) {
    forget(own->peer);
    forget(inode);
  } else if (!peer) {
    forget(inode);
  }
}

static long read_end(struct open_file *file, void *buffer, uint64_t n, uint64_t offset) {
  const struct io_vector part = {buffer, n};
  (void)offset;
  return read_parts(file, &part, 1);
}

static long write_parts(struct open_file *file, const struct io_vector *parts, long count) {
  return send_plain(file, parts, count, 0);
}

static long write_end(struct open_file *file, const void *buffer, uint64_t n, uint64_t offset) {
  const struct io_vector part = {(char *)buffer, n};
  (void)offset;
  homi_require_room(buffer, n, 0);
  return send_plain(file, &part, 1, 0);
}

static const struct file_operations end_of_pair = {
  .kind = INODE_SOCKET, .link = "socket:[1]", .is_shared = 1, .refuses_sync = 1, .read = read_end, .write = write_end, .read_parts = read_parts,
  .write_parts = write_parts, .events = events, .available = available, .closed = closed,
};

static long shut(struct inode *inode, long how) {
  struct socket *own = of(inode);
  how = hk_int(how, 0, 2) + 1;
  if (how < SHUT_READ || how > SHUT_BOTH) return -EINVAL;
  own->shut |= (int)how;
  hk_wake(inode, 0);
  if (own->peer && own->type != DATAGRAM) {
    of(own->peer)->shut |= (how & SHUT_READ ? SHUT_WRITE : 0) | (how & SHUT_WRITE ? SHUT_READ : 0);
    hk_wake(own->peer, 0);
  }
  return 0;
}

/* ---- options ---- */

static long get_option(struct inode *inode, long level, long name, unsigned char *value, uint32_t *length) {
  struct socket *own = of(inode);
  int32_t answer[4] = {0, 0, 0, 0};
  uint32_t size = 4;
  if (hk_bad(length)) return -EFAULT;
  if ((int32_t)*length < 0) return -EINVAL;
  if (level != 1) return -EOPNOTSUPP;
  switch (name) {
  case SO_TYPE: answer[0] = own->type; break;
  case SO_ERROR: answer[0] = (int32_t)-take_error(own); break;
  case SO_DOMAIN: answer[0] = AF_UNIX; break;
  case SO_PEERCRED:
    answer[0] = hk.process;
    answer[1] = (int32_t)homi_host_id(1);
    answer[2] = (int32_t)homi_host_id(3);
    size = 12;
    break;
  case SO_LINGER: answer[0] = own->options[SO_LINGER]; answer[1] = own->options[SO_LINGER + 1]; size = 8; break;
  case SO_RCVTIMEO: case SO_SNDTIMEO: memcpy(answer, own->limits[name == SO_SNDTIMEO], sizeof answer); size = 16; break;
  case SO_DEBUG: case SO_REUSEADDR: case SO_DONTROUTE: case SO_BROADCAST: case SO_SNDBUF: case SO_RCVBUF: case SO_KEEPALIVE:
  case SO_OOBINLINE: case SO_PRIORITY: case SO_REUSEPORT: case SO_PASSCRED: case SO_RCVLOWAT: case SO_SNDLOWAT: case SO_TIMESTAMP:
  case SO_ACCEPTCONN: case SO_PASSSEC: case SO_MARK: case SO_PROTOCOL:
    answer[0] = own->options[name];
    break;
  default: return -ENOPROTOOPT_;
  }
  if (*length < size) size = *length;
  if (hk_bad(value)) return -EFAULT;
  memcpy(value, answer, size);
  *length = size;
  return 0;
}

static int32_t buffer_size(int32_t wish, int32_t least) {
  if (wish > MOST_BUFFER / 2) wish = MOST_BUFFER / 2;
  return wish * 2 < least ? least : wish * 2;
}

static long set_option(struct inode *inode, long level, long name, const int32_t *value, long length) {
  struct socket *own = of(inode);
  if (level != 1) return -EOPNOTSUPP;
  length = (int)length;
  if (hk_decide(length < 4)) return -EINVAL;
  if (hk_bad(value)) return -EFAULT;
  switch (name) {
  case SO_SNDBUF: own->options[name] = buffer_size((int32_t)homi_concretize((uint64_t)*value), 4608); return 0;
  case SO_RCVBUF: own->options[name] = buffer_size((int32_t)homi_concretize((uint64_t)*value), 2304); return 0;
  case SO_RCVTIMEO: case SO_SNDTIMEO:
    if (hk_decide(length < 16)) return -EINVAL;
    if (((const int64_t *)value)[1] < 0 || ((const int64_t *)value)[1] >= 1000000) return -EDOM_;
    memcpy(own->limits[name == SO_SNDTIMEO], value, 16);
    return 0;
  case SO_LINGER:
    if (hk_decide(length < 8)) return -EINVAL;
    own->options[SO_LINGER] = value[0] != 0;
    own->options[SO_LINGER + 1] = value[0] ? value[1] : 0;
    return 0;
  case SO_RCVLOWAT: own->options[name] = *value > 0 ? *value : 1; return 0;
  case SO_PRIORITY: case SO_MARK: own->options[name] = *value; return 0;
  case SO_REUSEADDR: case SO_BROADCAST: case SO_KEEPALIVE: case SO_OOBINLINE: case SO_PASSCRED: case SO_PASSSEC:
  case SO_DONTROUTE: case SO_DEBUG: case SO_TIMESTAMP:
    own->options[name] = *value != 0;
    return 0;
  default: return -ENOPROTOOPT_;
  }
}

/* ---- the calls ---- */

static long parts_of(const struct message *message) {
  if (hk_bad(message)) return -EFAULT;
  const uint64_t count = hk_below(message->part_count, 1025);
  if (count > 1024) return -EMSGSIZE;
  return count && hk_bad(message->parts) ? -EFAULT : (long)count;
}

/* Result of a send to the name of another socket. */
static long addressed(const struct inode *inode, const void *name, uint64_t length) {
  if (!name || !length) return 0;
  return of(inode)->type == DATAGRAM ? -ECONNREFUSED_ : of(inode)->type == STREAM ? -EISCONN_ : 0;
}

static long send_message(struct open_file *file, const struct message *message, long flags) {
  long count = parts_of(message), error;
  if (count < 0) return count;
  error = addressed(file->inode, message->name, message->name_length);
  if (error < 0) return error;
  struct luggage *luggage = 0;
  if (homi_concretize(message->control_length)) {
    if (hk_bad(message->control)) return -EFAULT;
    luggage = hk_new_luggage();
    error = hk_pack(luggage, message->control, homi_concretize(message->control_length));
  }
  if (error == 0) error = send(file, message->parts, count, flags, &luggage);
  hk_drop_luggage(luggage);
  return error;
}

static long receive_message(struct open_file *file, struct message *message, long flags) {
  int32_t answer = 0;
  long count = parts_of(message), n;
  if (count < 0) return count;
  struct control control = {message->control, hk_bad(message->control) ? 0 : homi_concretize(message->control_length), 0,
                            (flags & CLOSE_ON_EXEC) != 0, 0};
  n = receive(file, message->parts, count, flags, &answer, &control);
  if (n < 0) return n;
  message->name_length = 0;
  message->control_length = control.used;
  message->flags = answer | (int32_t)(flags & CLOSE_ON_EXEC) | (control.truncated ? CONTROL_TRUNCATED : 0);
  return n;
}

static long many(struct open_file *file, struct many_message *messages, unsigned long count, long flags, int sends) {
  unsigned long i;
  if (hk_bad(messages)) return -EFAULT;
  count = homi_concretize(count);
  for (i = 0; i < count && i < 1024; i++) {
    long n = sends ? send_message(file, &messages[i].message, flags) : receive_message(file, &messages[i].message, flags);
    if (n < 0) return i ? (long)i : n;
    messages[i].length = (uint32_t)n;
    if (!sends && (flags & 0x10000)) flags |= DONT_WAIT; /* MSG_WAITFORONE */
  }
  return (long)i;
}

/* Both ends are without a name. */
static long name_of(const struct socket *own, int of_peer, unsigned char *name, uint32_t *length) {
  const uint16_t family = AF_UNIX;
  if (of_peer && !own->peer) return -ENOTCONN_;
  if (hk_bad(name) || hk_bad(length)) return -EFAULT;
  if ((int32_t)*length < 0) return -EINVAL;
  memcpy(name, &family, *length < 2 ? *length : 2);
  *length = 2;
  return 0;
}

static long receive_from(struct open_file *file, void *buffer, uint64_t n, long flags, uint32_t *length) {
  struct io_vector part = {buffer, flags & WAIT_ALL ? homi_concretize(n) : useful(of(file->inode), n)};
  int32_t answer = 0;
  long done = receive(file, &part, 1, flags, &answer, 0);
  if (done >= 0 && length) *length = 0;
  return done;
}

long hk_socket_call(long number, long a1, long a2, long a3, long a4, long a5, long a6) {
  struct open_file *file;
  struct inode *inode;
  if (number == CALL_socket) return hk_refuse(EAFNOSUPPORT);
  if (number == CALL_socketpair)
    return make_pair(hk_int(a1, 0, LAST_FAMILY - 1), (int)homi_concretize((unsigned)a2), hk_int(a3, 0, AF_UNIX), (int *)a4);
  file = hk_file(a1);
  if (!file) return -EBADF;
  inode = file->inode;
  if (inode->kind != INODE_SOCKET) return -ENOTSOCK;
  switch (number) {
  case CALL_sendto: {
    struct io_vector part = {(char *)a2, (uint64_t)a3};
    long error = addressed(inode, (void *)a5, 1);
    return error < 0 ? error : send_plain(file, &part, 1, (int)homi_concretize((unsigned long)a4));
  }
  case CALL_recvfrom: return receive_from(file, (void *)a2, (uint64_t)a3, (int)homi_concretize((unsigned long)a4), a5 ? (void *)a6 : 0);
  case CALL_sendmsg: return send_message(file, (void *)a2, (int)homi_concretize((unsigned long)a3));
  case CALL_recvmsg: return receive_message(file, (void *)a2, (int)homi_concretize((unsigned long)a3));
  case CALL_sendmmsg: case CALL_recvmmsg:
    return many(file, (void *)a2, (unsigned long)a3, (int)homi_concretize((unsigned long)a4), number == CALL_sendmmsg);
  case CALL_shutdown: return shut(inode, a2);
  case CALL_getsockname: case CALL_getpeername: return name_of(of(inode), number == CALL_getpeername, (void *)a2, (void *)a3);
  case CALL_getsockopt: return get_option(inode, (int)a2, (int)a3, (void *)a4, (void *)a5);
  case CALL_setsockopt: return set_option(inode, (int)a2, (int)a3, (void *)a4, a5);
  case CALL_listen: case CALL_accept: case CALL_accept4: return of(inode)->type == DATAGRAM ? -EOPNOTSUPP : -EINVAL;
  case CALL_connect:
    if (hk_decide((int)a3 <= 2)) return -EINVAL;
    if (of(inode)->type != DATAGRAM) return -EISCONN_;
    homi_unsupported("connect of a datagram socket");
  default: homi_unsupported("bind of a socket");
  }
}

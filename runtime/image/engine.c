/* The engine's functions (homi/engine.h, klee/klee.h) in an image: inputs come from the shared memory, and homi answers
 * for the host. */
#include "image.h"

#include "homi/engine.h"

enum { READ = 0, WRITE = 1 };

/* ---- inputs ---- */

static uint32_t position; /* of the next object in the shared memory, where objects come in the order of the last path */

static uint32_t number_at(uint32_t at) {
  uint32_t value;
  image_copy(&value, homi_shared->objects + at, sizeof value);
  return value;
}

static int is_name(uint32_t at, uint32_t size, const char *name) {
  uint32_t i;
  for (i = 0; i < size; i++)
    if (name[i] == 0 || homi_shared->objects[at + i] != (uint8_t)name[i]) return 0;
  return name[size] == 0;
}

/* The next object of a name: where its bytes are, and how many; 0 if there is none. */
static uint32_t find_object(const char *name, uint32_t *size) {
  uint32_t at = position;
  int is_second = 0;
  for (;;) {
    uint32_t name_size, found;
    if (at + 8 > homi_shared->objects_size) {
      if (is_second) return 0;
      is_second = 1;
      at = 0;
      continue;
    }
    if (is_second && at >= position) return 0;
    name_size = number_at(at);
    *size = number_at(at + 4);
    found = at + 8;
    at = found + name_size + *size;
    if (is_name(found, name_size, name)) {
      position = at;
      return found + name_size;
    }
  }
}

void klee_make_symbolic(void *address, size_t n, const char *name) {
  uint32_t size, at = homi_shared->objects_size ? find_object(name && *name ? name : "unnamed", &size) : 0;
  if (!at) {
    homi_shared->unknown++;
    size = 0;
  }
  if (size > n) size = (uint32_t)n;
  if (size) image_copy(address, homi_shared->objects + at, size);
  image_clear((char *)address + size, n - size);
}

void homi_assume(uint64_t condition) {
  if (!condition) image_end(END_SILENT, 0, 0);
}
void klee_assume(uintptr_t condition) { homi_assume(condition); }
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }

int klee_range(int begin, int end, const char *name) {
  int value = begin;
  if (begin + 1 == end) return begin;
  klee_make_symbolic(&value, sizeof value, name);
  homi_assume(value >= begin && value < end);
  return value;
}

int klee_int(const char *name) {
  int value;
  klee_make_symbolic(&value, sizeof value, name);
  return value;
}

uintptr_t klee_choose(uintptr_t n) {
  uintptr_t value;
  klee_make_symbolic(&value, sizeof value, "klee_choose");
  homi_assume(value < n);
  return value;
}

/* ---- values and states, of which there is one ---- */

uint64_t homi_concretize(uint64_t v) { return v; }
uint64_t homi_each_value(uint64_t v) { return v; }
void homi_concretize_string(const char *s) { (void)s; }
void homi_note_concretized(const char *kind) { (void)kind; }
void homi_require_room(const void *p, uint64_t n, int writing) { (void)p, (void)n, (void)writing; }
unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
unsigned klee_is_replay(void) { return 0; }
void klee_mark_global(void *object) { (void)object; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
void klee_warning(const char *message) { (void)message; }
void klee_warning_once(const char *message) { (void)message; }
void klee_stack_trace(void) {}
uintptr_t klee_get_value_i64(uintptr_t v) { return v; }
long klee_get_valuel(long v) { return v; }
int klee_get_value_i32(int v) { return v; }
int homi_predicts(void) { return 0; }
uint64_t homi_variation(void) { return 0; }
uint64_t homi_preemptions(void) { return 0; }
void homi_preempt_by(void (*entry)(void)) { (void)entry; }
void homi_preempt_point(void) {}
void homi_atomic_begin(void) {}
void homi_atomic_end(void) {}
void homi_tick_after(void (*tick)(void), uint64_t instructions) { (void)tick, (void)instructions; }

void homi_copy(void *to, const void *from, uint64_t n) {
  char *target = to;
  const char *source = from;
  if (target <= source || target >= source + n)
    image_copy(to, from, n);
  else
    while (n-- > 0) target[n] = source[n];
}

/* ---- ends ---- */

void homi_exit(int status) { image_end(END_EXIT, status, 0); }
void klee_silent_exit(int status) { image_end(END_SILENT, status, 0); }
void homi_abort(void) { image_end(END_ABORT, 0, 0); }
void klee_abort(void) { image_end(END_ABORT, 0, 0); }
/* abort() is a signal for a program that handles it. Programs without signals have neither of these. */
__attribute__((weak)) int raise(int number);
extern __attribute__((weak)) int __homi_abort_handled;
static void raise_abort(void) {
  if (raise && &__homi_abort_handled && __homi_abort_handled) raise(6);
}
void abort(void) {
  raise_abort();
  image_end(END_ABORT, 0, 0);
}
void homi_unsupported(const char *what) { image_end(END_GAP, 0, what); }
void homi_trap(void) { image_end(END_ABORT, 0, 0); }
int homi_folded(void) { return 0; }
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)suffix;
  image_end(END_ERROR, 0, message);
}
void homi_report_error(const char *message, const char *suffix) { (void)message, (void)suffix; }
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
  (void)file, (void)line, (void)function;
  raise_abort();
  image_end(END_ERROR, 0, condition);
}
void __assert(const char *condition, const char *file, int line) {
  (void)file, (void)line;
  image_end(END_ERROR, 0, condition);
}

/* ---- the host ---- */

void homi_output(int stream, const void *buf, uint64_t n) { (void)stream, (void)buf, (void)n; }

/* A question with its answer, as `memory` keeps it; the path and the answer follow. */
struct answer {
  uint32_t size, call, path_size, answer_size;
  uint64_t first, second;
  int64_t result;
};

static int is_same(const uint8_t *a, const char *b, uint32_t n) {
  while (n > 0 && *a == (uint8_t)*b) a++, b++, n--;
  return n == 0;
}

static const struct answer *remembered(void) {
  uint32_t at = 0;
  while (at < homi_shared->remembered) {
    const struct answer *one = (const struct answer *)(homi_shared->memory + at);
    if (one->call == homi_shared->call && one->first == homi_shared->first && one->second == homi_shared->second &&
        one->path_size == homi_shared->path_size && is_same((const uint8_t *)(one + 1), homi_shared->path, one->path_size))
      return one;
    at += one->size;
  }
  return 0;
}

static void remember(void) {
  uint32_t size = (uint32_t)sizeof(struct answer) + homi_shared->path_size + homi_shared->answer_size;
  struct answer *one = (struct answer *)(homi_shared->memory + homi_shared->remembered);
  size = (size + 7) & ~7u;
  if (homi_shared->remembered + size > MEMORY_SIZE) return;
  *one = (struct answer){size, homi_shared->call, homi_shared->path_size, homi_shared->answer_size, homi_shared->first,
                         homi_shared->second, homi_shared->result};
  image_copy(one + 1, homi_shared->path, one->path_size);
  image_copy((char *)(one + 1) + one->path_size, homi_shared->answer, one->answer_size);
  homi_shared->remembered += size;
}

/* Asks homi, once for each question. Copies up to `room` bytes of the answer to `to`. */
static long ask(enum host_call what, const char *path, uint64_t one, uint64_t two, void *to, uint64_t room) {
  const struct answer *known;
  uint32_t size = 0;
  char byte = 0, question[5] = {'h'};
  while (path && path[size] && size < PATH_SIZE - 1) homi_shared->path[size] = path[size], size++;
  homi_shared->call = what;
  homi_shared->path_size = size;
  homi_shared->first = one;
  homi_shared->second = two;
  known = remembered();
  if (known) {
    image_copy(to, (const char *)(known + 1) + known->path_size, known->answer_size < room ? known->answer_size : room);
    return known->result;
  }
  image_syscall(WRITE, REPLIES, (long)question, sizeof question, 0, 0, 0);
  if (image_syscall(READ, REQUESTS, (long)&byte, 1, 0, 0, 0) != 1 || byte != 'a') image_end(END_GAP, 0, "the host does not answer");
  remember();
  size = homi_shared->answer_size;
  if (size) image_copy(to, homi_shared->answer, size < room ? size : room);
  return homi_shared->result;
}

long homi_host_stat(const char *path, void *stat144, int follow) { return ask(HOST_STAT, path, follow != 0, 0, stat144, 144); }

/* In pieces, as much as an answer has room for. */
static long ask_pieces(enum host_call what, const char *path, char *buf, uint64_t n, uint64_t offset) {
  uint64_t done = 0;
  while (done < n) {
    uint64_t piece = n - done < ANSWER_SIZE ? n - done : ANSWER_SIZE;
    long count = ask(what, path, piece, offset + done, buf + done, piece);
    if (count < 0) return done ? (long)done : count;
    done += (uint64_t)count;
    if ((uint64_t)count < piece) break;
  }
  return (long)done;
}

long homi_host_read(const char *path, void *buf, uint64_t n, uint64_t offset) { return ask_pieces(HOST_READ, path, buf, n, offset); }
long homi_host_readlink(const char *path, char *buf, uint64_t n) {
  long length = ask(HOST_READLINK, path, 0, 0, buf, n);
  return length > 0 && (uint64_t)length > n ? (long)n : length;
}
long homi_host_readdir(const char *path, uint64_t index, void *dirent64, uint64_t n) {
  long length = ask(HOST_READDIR, path, index, 0, dirent64, n);
  return length > 0 && (uint64_t)length > n ? -22 : length;
}
long homi_host_getcwd(char *buf, uint64_t n) {
  long length = ask(HOST_GETCWD, 0, 0, 0, buf, n);
  return length > 0 && (uint64_t)length > n ? -34 : length;
}
long homi_stdin_read(void *buf, uint64_t n, uint64_t offset) {
  return n ? ask_pieces(HOST_INPUT, 0, buf, n, offset) : ask(HOST_INPUT_KIND, 0, 0, 0, 0, 0);
}
long homi_host_id(int which) { return ask(HOST_ID, 0, (uint64_t)which, 0, 0, 0); }
uint64_t homi_clock_ns(void) { return (uint64_t)ask(HOST_CLOCK, 0, 0, 0, 0, 0); }

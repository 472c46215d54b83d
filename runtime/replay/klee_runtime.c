/* libhomi-replay: the functions of klee/klee.h for a natively compiled harness. Symbolic objects get their bytes
 * from the .ktest file that KTEST_FILE names, in the order in which the engine made them; with KLEE_RANDOM set
 * they get random ones and no file is needed.
 *
 * Link the library, also built as libkleeRuntest, or compile this file into the harness:
 *   gcc -I runtime/include harness.c -lhomi-replay
 *   gcc -I runtime/include harness.c runtime/replay/klee_runtime.c
 * A file that does not belong to the run (another name or size, too few objects, an assumption that does
 * not hold) is an error on standard error, in KLEE's words with homi's below, and exit status 1; with
 * KLEE_RUN_TEST_ERRORS_NON_FATAL set it is a warning, and missing bytes are zero. The runtime reports a file that does not belong to the program
 * to `homi replay`, on the descriptor that HOMI_KTEST_REPORT names; the run then does not count. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "klee/klee.h"

struct object {
  char *name;
  unsigned char *bytes;
  uint32_t size;
};

static struct object *objects;
static uint32_t object_count, next_object;
static int loaded;
static int checking; /* what is wrong now is that file and program do not belong together */

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void tell_replay(const char *format, va_list arguments) {
  const char *descriptor = getenv("HOMI_KTEST_REPORT");
  char line[512] = "failed: ";
  size_t start = strlen(line), length;
  if (!descriptor) return;
  vsnprintf(line + start, sizeof line - start - 1, format, arguments);
  length = strlen(line);
  line[length] = '\n';
  if (write(atoi(descriptor), line, length + 1) < 0) return; /* there is no reader */
}

static void say(const char *format, va_list arguments) {
  va_list again;
  fflush(stdout);
  fputs("KLEE_RUN_TEST_ERROR: ", stderr);
  va_copy(again, arguments);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  if (checking && !getenv("KLEE_RUN_TEST_ERRORS_NON_FATAL")) tell_replay(format, again);
  va_end(again);
}

/* Prints the objects of the file, to show the difference between harness and test. */
static void list_objects(void) {
  uint32_t i;
  fprintf(stderr, "KLEE_RUN_TEST_ERROR: %s has", getenv("KTEST_FILE") ? getenv("KTEST_FILE") : "the test");
  for (i = 0; i < object_count; i++)
    fprintf(stderr, "%s %s\"%s\" (%u bytes)", i ? "," : "", i == next_object ? "next " : "", objects[i].name,
            objects[i].size);
  fputs(object_count ? "\n" : " no objects\n", stderr);
}

/* The run and the file do not agree. */
static void complain(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  if (checking && object_count) list_objects();
  if (!getenv("KLEE_RUN_TEST_ERRORS_NON_FATAL")) exit(1);
  fputs("KLEE_RUN_TEST_ERROR: Forcing execution to continue\n", stderr);
}

/* The file cannot be used at all. */
static void refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say(format, arguments);
  va_end(arguments);
  exit(1);
}

/* ---- the .ktest file: big-endian 32-bit numbers, strings and bytes with their length in front ---- */

struct reader {
  const char *path;
  const unsigned char *at, *end;
};

static const unsigned char *take(struct reader *reader, uint32_t n) {
  const unsigned char *start = reader->at;
  if ((size_t)(reader->end - start) < n) refuse("%s: the file is cut off", reader->path);
  reader->at += n;
  return start;
}

static uint32_t take_number(struct reader *reader) {
  const unsigned char *p = take(reader, 4);
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static unsigned char *copy(const unsigned char *from, uint32_t n) {
  unsigned char *to = malloc((size_t)n + 1);
  if (!to) refuse("out of memory");
  memcpy(to, from, n);
  to[n] = 0;
  return to;
}

static unsigned char *whole_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = NULL;
  size_t capacity = 0;
  *size = 0;
  if (!file) refuse("%s: cannot be opened: %s", path, strerror(errno));
  for (;;) {
    if (*size == capacity) {
      capacity = capacity ? capacity * 2 : 4096;
      bytes = realloc(bytes, capacity);
      if (!bytes) refuse("out of memory");
    }
    size_t n = fread(bytes + *size, 1, capacity - *size, file);
    if (n == 0) break;
    *size += n;
  }
  if (ferror(file)) refuse("%s: cannot be read: %s", path, strerror(errno));
  fclose(file);
  return bytes;
}

/* Objects that the engine made of its own accord: which allocation fails, what stubs return and write. */
static int is_of_the_engine(const char *name) {
  return strcmp(name, "malloc_fail") == 0 || strncmp(name, "stub:", 5) == 0;
}

/* The name of the test: a person is asked for it, as KLEE does. */
static const char *test_name(void) {
  static char line[4096];
  const char *name = getenv("KTEST_FILE");
  if (name || !isatty(0)) return name;
  fputs("KLEE-RUNTIME: KTEST_FILE not set, please enter .ktest path: ", stdout);
  fflush(stdout);
  if (!fgets(line, sizeof line, stdin)) return NULL;
  line[strcspn(line, "\n")] = 0;
  return line;
}

/* KLEE_RANDOM: any bytes, another time others. */
static int is_random(void) {
  static int asked = -1;
  struct timeval now;
  if (asked >= 0) return asked;
  asked = getenv("KLEE_RANDOM") != NULL;
  gettimeofday(&now, NULL);
  srand((unsigned)now.tv_sec ^ (unsigned)now.tv_usec);
  return asked;
}

static void load(void) {
  struct reader reader;
  unsigned char *bytes;
  uint32_t version, count, i, kept = 0;
  size_t size;
  if (loaded) return;
  loaded = 1;
  checking = 1;
  reader.path = test_name();
  if (!reader.path) refuse("KTEST_FILE is not set: it must name the .ktest file to run");
  bytes = whole_file(reader.path, &size);
  reader.at = bytes;
  reader.end = bytes + size;
  if (size < 5 || (memcmp(bytes, "KTEST", 5) != 0 && memcmp(bytes, "BOUT\n", 5) != 0))
    refuse("%s: not a .ktest file", reader.path);
  reader.at += 5;
  version = take_number(&reader);
  if (version > 3) refuse("%s: version %u is newer than 3", reader.path, version);
  count = take_number(&reader);
  for (i = 0; i < count; i++) take(&reader, take_number(&reader));
  if (version >= 2) take(&reader, 8);
  object_count = take_number(&reader);
  if (object_count > size / 8) refuse("%s: the file is cut off", reader.path);
  objects = calloc((size_t)object_count + 1, sizeof *objects);
  if (!objects) refuse("out of memory");
  for (i = 0; i < object_count; i++) {
    uint32_t n = take_number(&reader);
    objects[kept].name = (char *)copy(take(&reader, n), n);
    objects[kept].size = take_number(&reader);
    objects[kept].bytes = copy(take(&reader, objects[kept].size), objects[kept].size);
    if (!is_of_the_engine(objects[kept].name)) kept++;
  }
  object_count = kept;
  free(bytes);
  checking = 0;
}

/* ---- symbolic inputs ---- */

void klee_make_symbolic(void *address, size_t bytes, const char *name) {
  const struct object *object;
  if (!name || !*name) name = "unnamed";
  if (is_random()) {
    unsigned char *byte = address;
    while (bytes--) *byte++ = (unsigned char)(rand() >> 7);
    return;
  }
  load();
  checking = 1;
  if (next_object >= object_count) {
    complain("out of inputs. Will use zero if continuing.");
    memset(address, 0, bytes);
    checking = 0;
    return;
  }
  object = &objects[next_object];
  if (strcmp(object->name, name) != 0)
    complain("object name mismatch. Requesting \"%s\" but returning \"%s\"", name, object->name);
  if (object->size != bytes)
    complain("object sizes differ. Expected %zu but got %u", bytes, object->size);
  checking = 0;
  next_object++;
  memset(address, 0, bytes);
  memcpy(address, object->bytes, object->size < bytes ? object->size : bytes);
}

int klee_range(int begin, int end, const char *name) {
  int value;
  if (begin >= end) refuse("invalid klee_range(%d,%d,%s): no value is in it", begin, end, name ? name : "unnamed");
  if ((int64_t)end - begin == 1) return begin;
  klee_make_symbolic(&value, sizeof value, name);
  if (is_random()) return begin + (int)((unsigned)value % ((unsigned)end - (unsigned)begin));
  if (value < begin || value >= end)
    complain("invalid klee_range(%d,%d,%s) value, got: %d", begin, end, name ? name : "unnamed", value);
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
  if (is_random()) return n ? value % n : 0;
  if (value >= n)
    complain("klee_choose failure. max = %llu, got = %llu", (unsigned long long)n, (unsigned long long)value);
  return value;
}

/* ---- constraints and the end of a path ---- */

void klee_assume(uintptr_t condition) {
  if (!condition) complain("invalid klee_assume");
}

void klee_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}

void klee_posix_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}

void klee_assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  fflush(stdout);
  fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function, expression);
  abort();
}

void klee_abort(void) { abort(); }

void klee_silent_exit(int status) { exit(status); }

void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  fflush(stdout);
  fprintf(stderr, "%s:%d: error (%s): %s\n", file, line, suffix, message);
  abort();
}

/* ---- questions about values: everything is concrete ---- */

unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}

unsigned klee_is_replay(void) { return 1; }

float klee_get_valuef(float expression) { return expression; }
double klee_get_valued(double expression) { return expression; }
long klee_get_valuel(long expression) { return expression; }
long long klee_get_valuell(long long expression) { return expression; }
int32_t klee_get_value_i32(int32_t expression) { return expression; }
int64_t klee_get_value_i64(int64_t expression) { return expression; }

/* ---- messages ---- */

void klee_print_expr(const char *message, ...) { fprintf(stderr, "%s\n", message); }
void klee_print_range(const char *name, int value) { fprintf(stderr, "%s == %d\n", name, value); }
void klee_stack_trace(void) {}
void klee_warning(const char *message) { fprintf(stderr, "WARNING: %s\n", message); }

void klee_warning_once(const char *message) {
  static const char *seen[64];
  static unsigned count;
  unsigned i;
  for (i = 0; i < count; i++)
    if (seen[i] == message) return;
  if (count < sizeof seen / sizeof seen[0]) seen[count++] = message;
  klee_warning(message);
}

/* ---- memory: natively there is nothing to ask or to mark ---- */

size_t klee_get_obj_size(void *object) {
  (void)object;
  refuse("klee_get_obj_size has no native counterpart");
}

void klee_check_memory_access(const void *address, size_t bytes) {
  const volatile unsigned char *p = address;
  size_t i;
  for (i = 0; i < bytes; i++) (void)p[i];
}

void klee_define_fixed_object(void *address, size_t bytes) {
  (void)address;
  (void)bytes;
}

void klee_mark_global(void *object) { (void)object; }
void klee_set_forking(unsigned enable) { (void)enable; }
void klee_open_merge(void) {}
void klee_close_merge(void) {}
int klee_get_errno(void) { return errno; }

/* Atomic sections of verification tasks; no effect on native threads. */
void homi_atomic_begin(void);
void homi_atomic_end(void);
void homi_atomic_begin(void) {}
void homi_atomic_end(void) {}

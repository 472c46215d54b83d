/* The engine's functions directly on the host's kernel, so that a program, libc.bc and kernel.bc run natively
 * without homi. Used by scripts/check-kernel, together with runtime/musl/native/start.c (whose system call
 * is renamed to host_syscall there). Freestanding, nothing is symbolic. */
#include "homi/engine.h"
#include "klee/klee.h"

void *memmove(void *to, const void *from, size_t n);
long host_syscall(long n, long a, long b, long c, long d, long e, long f);

static long call(long n, const void *a, long b, long c) { return host_syscall(n, (long)a, b, c, 0, 0, 0); }

static unsigned long length(const char *s) {
  unsigned long n = 0;
  while (s[n]) n++;
  return n;
}

static int before(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a < (unsigned char)*b;
}

long homi_host_stat(const char *path, void *result, int follow) { return call(follow ? 4 : 6, path, (long)result, 0); }

long homi_host_read(const char *path, void *buf, unsigned long n, unsigned long offset) {
  long fd = call(2, path, 0, 0), count;
  if (fd < 0) return fd;
  count = host_syscall(17, fd, (long)buf, (long)n, (long)offset, 0, 0);
  host_syscall(3, fd, 0, 0, 0, 0, 0);
  return count;
}

long homi_host_readlink(const char *path, char *buf, unsigned long n) { return call(89, path, (long)buf, (long)n); }

/* The entry whose name has `index` smaller names before it. */
long homi_host_readdir(const char *path, unsigned long index, void *record, unsigned long n) {
  static char listing[1 << 20];
  long fd = call(2, path, 0200000, 0), size = 0, count, i, j;
  if (fd < 0) return fd;
  while ((count = host_syscall(217, fd, (long)listing + size, (long)sizeof listing - size, 0, 0, 0)) > 0) size += count;
  host_syscall(3, fd, 0, 0, 0, 0, 0);
  if (count < 0) return count;
  for (i = 0; i < size; i += *(unsigned short *)(listing + i + 16)) {
    unsigned long rank = 0;
    for (j = 0; j < size; j += *(unsigned short *)(listing + j + 16)) rank += before(listing + j + 19, listing + i + 19);
    if (rank == index) {
      unsigned short bytes = *(unsigned short *)(listing + i + 16);
      if (bytes > n) return -22;
      for (j = 0; j < bytes; j++) ((char *)record)[j] = listing[i + j];
      return bytes;
    }
  }
  return 0;
}

long homi_host_getcwd(char *buf, unsigned long n) { return call(79, buf, (long)n, 0); }
long homi_stdin_read(void *buf, unsigned long n, unsigned long offset) {
  unsigned char stat[144];
  if (n == 0) return host_syscall(5, 0, (long)stat, 0, 0, 0, 0) == 0 && (stat[25] & 0xf0) == 0x80; /* a regular file */
  return host_syscall(17, 0, (long)buf, (long)n, (long)offset, 0, 0);
}
long homi_host_id(int which) {
  static const long calls[] = {102, 107, 104, 108};
  return host_syscall(calls[which], 0, 0, 0, 0, 0, 0);
}
void homi_output(int stream, const void *buf, unsigned long n) { host_syscall(1, stream, (long)buf, (long)n, 0, 0, 0); }

static void say(const char *text) { host_syscall(1, 2, (long)text, (long)length(text), 0, 0, 0); }

void homi_exit(int status) {
  for (;;) host_syscall(231, status, 0, 0, 0, 0, 0);
}
void homi_abort(void) {
  host_syscall(62, host_syscall(39, 0, 0, 0, 0, 0, 0), 6, 0, 0, 0, 0);
  homi_exit(134);
}
void homi_unsupported(const char *what) {
  say("GAP: ");
  say(what);
  say("\n");
  homi_exit(99);
}
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file;
  (void)line;
  (void)suffix;
  say(message);
  say("\n");
  homi_exit(98);
}

unsigned long homi_concretize(unsigned long v) { return v; }
unsigned long homi_each_value(unsigned long v) { return v; }
void homi_note_concretized(const char *kind) { (void)kind; }
void homi_tick_after(void (*tick)(void), unsigned long instructions) { (void)tick, (void)instructions; }
int homi_predicts(void) { return 0; }
unsigned long homi_variation(void) { return 0; }
unsigned long homi_preemptions(void) { return 0; }
void homi_preempt_by(void (*entry)(void)) { (void)entry; }
void homi_atomic_begin(void) {}
void homi_atomic_end(void) {}
/* Mappings are blocks here, and windows the bytes themselves. */
int homi_is_free(unsigned long address, unsigned long n) { return (void)n, address == 0; }
void *homi_calloc(unsigned long n, unsigned long size);
unsigned long homi_map(unsigned long address, unsigned long n) {
  unsigned long block = address ? 0 : (unsigned long)homi_calloc(1, n + 4096);
  return (block + 4095) & ~4095ul;
}
unsigned long homi_map_window(unsigned long address, unsigned long n, const void *bytes, unsigned long there) {
  (void)n, (void)there;
  return address ? 0 : (unsigned long)bytes;
}
void homi_unmap(unsigned long address, unsigned long n) { (void)address, (void)n; }
int homi_protect(unsigned long address, unsigned long n, int access) { return (void)address, (void)n, (void)access, 0; }
void homi_require_room(const void *p, unsigned long n, int writing) { (void)p, (void)n, (void)writing; }
void homi_copy(void *to, const void *from, unsigned long n) { memmove(to, from, n); }
void klee_mark_global(void *object) { (void)object; }
void homi_concretize_string(const char *s) { (void)s; }
unsigned long homi_clock_ns(void) {
  long now[2];
  host_syscall(228, 0, (long)now, 0, 0, 0, 0);
  return (unsigned long)now[0] * 1000000000ul + (unsigned long)now[1];
}

void klee_make_symbolic(void *address, size_t bytes, const char *name) {
  (void)address;
  (void)bytes;
  homi_unsupported(name);
}
void homi_assume(unsigned long condition) {
  if (!condition) homi_exit(97);
}
void klee_assume(uintptr_t condition) { (void)condition; }
void klee_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}
void klee_posix_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}
void klee_warning_once(const char *message) { (void)message; }
unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}

/* One thread. */
void homi_thread_start(void (*entry)(void), unsigned long number, const void *name) { (void)entry, (void)number, (void)name, homi_unsupported("a second thread"); }
void homi_thread_switch(unsigned long number, int ended) { (void)number, (void)ended; }
struct homi_thread_local homi_thread_local_list[1];

void *malloc(unsigned long n);
void *calloc(unsigned long n, unsigned long size);
void *realloc(void *p, unsigned long n);
void free(void *p);
void *aligned_alloc(unsigned long alignment, unsigned long n);
void *homi_malloc(unsigned long n) { return malloc(n); }
void *homi_calloc(unsigned long n, unsigned long size) { return calloc(n, size); }
void *homi_realloc(void *p, unsigned long n) { return realloc(p, n); }
void homi_free(void *p) { free(p); }
void *homi_aligned_alloc(unsigned long alignment, unsigned long n) { return aligned_alloc(alignment, n); }

/* The engine's functions on the real host, so that the modelled kernel can be run natively under test.
 * Symbolic objects get the bytes that a test prepared; a value counts as symbolic while `host_symbolic`
 * says so; the end of a path jumps back into the test. */
#include "kernel_host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "homi/engine.h"
#include "klee/klee.h"

jmp_buf host_path_end;
struct host_end host_end;
int host_symbolic;
char host_output[65536];
unsigned long host_output_length;
const char *host_stdin = "";
int host_stdin_is_stream;
struct host_object host_objects[32];
int host_object_count;
const char *host_made[64];
unsigned long host_made_size[64];
int host_made_count;
long host_user;

void *homi_malloc(unsigned long n) { return malloc(n); }
void *homi_calloc(unsigned long n, unsigned long size) { return calloc(n, size); }
void *homi_realloc(void *p, unsigned long n) { return realloc(p, n); }
void homi_free(void *p) { free(p); }
void *homi_aligned_alloc(unsigned long alignment, unsigned long n) { return aligned_alloc(alignment, n); }

long homi_host_stat(const char *path, void *result, int follow) {
  struct stat stat_buffer;
  if ((follow ? stat(path, &stat_buffer) : lstat(path, &stat_buffer)) < 0) return -errno;
  memcpy(result, &stat_buffer, 144);
  return 0;
}

long homi_host_read(const char *path, void *buf, unsigned long n, unsigned long offset) {
  int fd = open(path, O_RDONLY);
  if (fd < 0) return -errno;
  long count = pread(fd, buf, n, (off_t)offset);
  if (count < 0) count = -errno;
  close(fd);
  return count;
}

long homi_host_readlink(const char *path, char *buf, unsigned long n) {
  long count = readlink(path, buf, n);
  return count < 0 ? -errno : count;
}

long homi_host_readdir(const char *path, unsigned long index, void *record, unsigned long n) {
  struct dirent **names;
  int count = scandir(path, &names, 0, alphasort), i;
  long length = 0;
  if (count < 0) return -errno;
  if (index < (unsigned long)count) {
    length = (long)((19 + strlen(names[index]->d_name) + 1 + 7) & ~7ul);
    if ((unsigned long)length > n) {
      length = -EINVAL;
    } else {
      memset(record, 0, (unsigned long)length);
      memcpy(record, names[index], 19);
      strcpy((char *)record + 19, names[index]->d_name);
    }
  }
  for (i = 0; i < count; i++) free(names[i]);
  free(names);
  return length;
}

long homi_host_getcwd(char *buf, unsigned long n) {
  return getcwd(buf, n) ? (long)strlen(buf) + 1 : -errno;
}

long homi_stdin_read(void *buf, unsigned long n, unsigned long offset) {
  unsigned long size = strlen(host_stdin);
  if (n == 0) return size == 0 ? 0 : host_stdin_is_stream ? 2 : 1;
  if (offset >= size) return 0;
  if (n > size - offset) n = size - offset;
  memcpy(buf, host_stdin + offset, n);
  return (long)n;
}

long homi_host_id(int which) {
  (void)which;
  return host_user;
}

void homi_output(int stream, const void *buf, unsigned long n) {
  (void)stream;
  memcpy(host_output + host_output_length, buf, n);
  host_output_length += n;
}

static void end(const char *kind, int status, const char *what) {
  host_end.kind = kind;
  host_end.status = status;
  snprintf(host_end.what, sizeof host_end.what, "%s", what);
  longjmp(host_path_end, 1);
}

void homi_exit(int status) { end("exit", status, ""); abort(); }
void homi_abort(void) { end("abort", 0, ""); abort(); }
void klee_silent_exit(int status) { end("exit", status, ""); abort(); }
void klee_warning_once(const char *message) { (void)message; }
void homi_unsupported(const char *what) { end("gap", 0, what); abort(); }
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file;
  (void)line;
  end(suffix, 0, message);
  abort();
}

unsigned long homi_concretize(unsigned long v) { return v; }
unsigned long homi_each_value(unsigned long v) { return v; }
void homi_note_concretized(const char *kind) { (void)kind; }
void homi_tick_after(void (*tick)(void), unsigned long instructions) { (void)tick, (void)instructions; }
unsigned long homi_preemptions(void) { return 0; }
void homi_preempt_by(void (*entry)(void)) { (void)entry; }
void homi_atomic_begin(void) {}
void homi_atomic_end(void) {}
/* Mappings are blocks here, and windows the bytes themselves. */
int homi_is_free(unsigned long address, unsigned long n) { return (void)n, address == 0; }
unsigned long homi_map(unsigned long address, unsigned long n) {
  unsigned long block = address ? 0 : (unsigned long)calloc(1, n + 4096);
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
void homi_concretize_string(const char *s) {
  (void)s;
  host_symbolic = 0;
}
int homi_predicts(void) { return 0; }
unsigned long homi_variation(void) { return 0; }
unsigned long homi_clock_ns(void) { return 1700000000ul * 1000000000ul; }

void klee_make_symbolic(void *address, size_t bytes, const char *name) {
  int i;
  host_made[host_made_count] = strdup(name);
  host_made_size[host_made_count++] = bytes;
  memset(address, 0, bytes);
  for (i = 0; i < host_object_count; i++)
    if (strcmp(host_objects[i].name, name) == 0)
      memcpy(address, host_objects[i].bytes, host_objects[i].size < bytes ? host_objects[i].size : bytes);
}

void klee_assume(uintptr_t condition) {
  if (!condition) end("assume", 0, "");
}
void klee_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}
void klee_posix_prefer_cex(void *object, uintptr_t condition) {
  (void)object;
  (void)condition;
}
unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return (unsigned)host_symbolic;
}

/* One thread. */
void homi_thread_start(void (*entry)(void), unsigned long number, const void *name) {
  (void)name;
  (void)entry, (void)number;
  homi_unsupported("a second thread");
}
void homi_thread_switch(unsigned long number, int ended) { (void)number, (void)ended; }
struct homi_thread_local homi_thread_local_list[1];

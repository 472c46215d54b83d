/* The modeled kernel's half of the preloaded model (see model.c). */
#include "internal.h"
#include "model.h"

int __homi_start(int (*main)(int, char **, char **), int argc, char **argv, char **envp) {
  (void)main, (void)argc, (void)argv, (void)envp;
  return 0;
}

void homi_model_start(int argc, char **argv) {
  struct symbolic_options options;
  char *nothing = 0, **envp = &nothing;
  memset(&options, 0, sizeof options);
  hk_expand_arguments(&argc, &argv, &envp, &options);
  hk_initialise(&options);
}

_Static_assert(HOMI_MODEL_LAST_PROCESS == (int)FIRST_CHILD_ID, "model.c tells children by their numbers");

void homi_model_process(int id) {
  if (hk.group == hk.process) hk.group = id;
  hk.process = id;
}

void homi_model_pass(unsigned long nanoseconds) {
  hk.slept += nanoseconds;
  hk_pass_processor_time(nanoseconds);
  while (hk_ring_before(hk_clock())) {}
}

long homi_model_call(long number, const long *a) {
  return __homi_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long homi_model_pread(long descriptor, void *buffer, unsigned long n, long offset) {
  struct open_file *file = hk_file(descriptor);
  return file ? hk_file_read(file, buffer, n, (uint64_t)offset) : -EBADF;
}

void homi_model_ordinary_stat(void *bytes) {
  struct kernel_stat *stat = bytes;
  if (stat->st_ino & 0x7fffffff) return;
  stat->st_ino = 1;
  if (stat->st_mode == 0) stat->st_mode = S_IFREG | 0644;
  if (stat->st_blksize == 0) stat->st_blksize = 4096;
}

/* What kernel_native.c steers and sees of the host side in kernel_host.c. */
#ifndef KERNEL_HOST_H
#define KERNEL_HOST_H

#include <setjmp.h>

struct host_end {
  const char *kind; /* "exit", "abort", "gap", or an error's suffix */
  int status;
  char what[200];
};

struct host_object {
  const char *name;
  const void *bytes;
  unsigned long size;
};

extern jmp_buf host_path_end;
extern struct host_end host_end;
extern int host_symbolic;
extern char host_output[65536];
extern unsigned long host_output_length;
extern const char *host_stdin;
extern int host_stdin_is_stream;
extern struct host_object host_objects[32];
extern int host_object_count;
extern const char *host_made[64];
extern unsigned long host_made_size[64];
extern int host_made_count;
extern long host_user;

#endif

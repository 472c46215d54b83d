/* Between the two halves of the preloaded model: model.c, which uses the system's headers, and
 * model_kernel.c, which uses the modelled kernel's. */
#ifndef HOMI_REPLAY_MODEL_H
#define HOMI_REPLAY_MODEL_H

/* This thread is in glibc, which reads the files of a locale (model_locale.c). */
extern __thread int homi_reads_locale __attribute__((tls_model("initial-exec")));
/* Makes the files that the test's arguments ask for. */
void homi_model_start(int argc, char **argv);
/* A system call's value, or -errno. What reaches a symbolic standard output is put out as well. */
long homi_model_call(long number, const long *arguments);
long homi_model_pread(long descriptor, void *buffer, unsigned long n, long offset);
/* 0, or the -errno with which mmap refuses this descriptor, protection and flags. */
long homi_model_may_map(long descriptor, long protection, long flags);
/* No process of Linux has a greater number; the modelled children's are. */
enum { HOMI_MODEL_LAST_PROCESS = 4194304 };
/* The number of the process, which is the real kernel's to give. */
void homi_model_process(int id);
/* Gives a struct stat without an inode number the mode of an ordinary file. */
void homi_model_ordinary_stat(void *stat);

/* The modelled kernel's own (runtime/kernel/time.c): the alarm or timer that goes off first until `deadline`. */
int hk_ring_before(unsigned long deadline);
/* Whether some timer is to go off. */
int hk_has_timer(void);
/* The program has computed for so long (nanoseconds): what is due goes off. */
void homi_model_pass(unsigned long nanoseconds);
/* And children.c: a child goes on by one stage, if there is one. */
int hk_child_moves(void);

#endif

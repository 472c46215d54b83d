/* Between the parts of the preloaded model: model.c (system calls, signals, threads), model_blocks.c (memory), model_test.c (the
 * test), model_host.c (the directory that the program sees), which use the system's headers, and model_kernel.c and
 * model_memory.c (mappings), which use the modeled kernel's. */
#ifndef HOMI_REPLAY_MODEL_H
#define HOMI_REPLAY_MODEL_H

/* A system call of our own, which the filter lets pass: its value, or -errno. */
long homi_raw(long number, long a, long b, long c, long d, long e, long f);
/* The run's directory, which the program sees. */
extern const char *homi_model_root;
/* Further directories that it sees, a line each, and a directory in the root that it does not see; each may be null. */
extern const char *homi_model_data;
extern const char *homi_model_hidden;
/* uid, euid, gid, egid. */
extern unsigned homi_model_ids[4];
/* Memory for the kernel; 0 if there is none. */
int homi_model_has_memory(void);
/* Reads a .ktest file; 0 if it cannot. */
int homi_model_read_test(const char *path);
/* The words of the test, once it is read. */
extern char **homi_model_arguments;
extern int homi_model_argument_count;
/* True if the path came to make one more object of this name and size. */
int homi_model_has_object(const char *name, unsigned long bytes);

/* This thread is in glibc, which reads the files of a locale (model_locale.c). */
extern __thread int homi_reads_locale __attribute__((tls_model("initial-exec")));
/* Makes the files that the test's arguments ask for. */
void homi_model_start(int argc, char **argv);
/* A system call's value, or -errno. What reaches a symbolic standard output is put out as well. */
long homi_model_call(long number, const long *arguments);
long homi_model_pread(long descriptor, void *buffer, unsigned long n, long offset);
/* The memory file of what is to be mapped, or the -errno with which mmap refuses this descriptor, protection and flags.
 * HOMI_MODEL_COPIED: the program gets a copy of the bytes. */
enum { HOMI_MODEL_COPIED = -4096 };
long homi_model_map(long descriptor, long protection, long flags);
/* True if a descriptor may write to its file. */
int homi_model_writes(long descriptor);
/* Memory files: the one of a block, or -1; moves a block into one of its own (0: it cannot); changes its length. */
int homi_model_memory_file(const void *block);
int homi_model_share(unsigned char **block, unsigned long length);
void homi_model_set_length(void *block, unsigned long length);
/* No process of Linux has a greater number; the modeled children's are. */
enum { HOMI_MODEL_LAST_PROCESS = 4194304 };
/* The number of the process, which is the real kernel's to give. */
void homi_model_process(int id);
/* Gives a struct stat without an inode number the mode of an ordinary file. */
void homi_model_ordinary_stat(void *stat);

/* The modeled kernel's own (runtime/kernel/outcome.c): puts out a line for each file that the program leaves. */
void hk_report_files(void);

/* The modeled kernel's own (runtime/kernel/time.c): the alarm or timer that goes off first until `deadline`. */
int hk_ring_before(unsigned long deadline);
/* True if some timer is to go off. */
int hk_has_timer(void);
/* The program has computed for so long (nanoseconds): what is due goes off. */
void homi_model_pass(unsigned long nanoseconds);
/* And children.c: a child goes on by one stage, if there is one. */
int hk_child_moves(void);

#endif

/* Functions of the engine for the runtime; only they have no C below them.
 *
 * Every function here is executed by homi's own interpreter (it has no body in bitcode). Paths given
 * to the host functions are absolute and normalized, the host is only ever read, and each answer is a
 * function of the path's inputs, so that a path can be rebuilt from its decisions. Errors are negative
 * Linux errno values. Sizes and offsets are in bytes, times in nanoseconds. */
#ifndef HOMI_ENGINE_H
#define HOMI_ENGINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the host, read only ---- */

/* Fills the 144 bytes of the x86-64 kernel's struct stat. `follow`: whether a final symbolic link is
 * followed. 0 or -errno. */
long homi_host_stat(const char *path, void *stat144, int follow);
/* Reads up to n bytes at offset. The number of bytes read, 0 at the end of the file, or -errno. */
long homi_host_read(const char *path, void *buf, uint64_t n, uint64_t offset);
/* The target of a symbolic link, without a NUL. Its length (cut to n), or -errno. */
long homi_host_readlink(const char *path, char *buf, uint64_t n);
/* The index-th entry, by sorted name and with "." and "..", as one struct linux_dirent64. The length of
 * the record, 0 after the last one, or -errno. */
long homi_host_readdir(const char *path, uint64_t index, void *dirent64, uint64_t n);
/* The directory in which the program starts, with or without a NUL. The length written, or -errno. */
long homi_host_getcwd(char *buf, uint64_t n);
/* Concrete standard input, as pread. With n = 0 what it is, and nothing of it is read: 0 nothing (the program
 * sees /dev/null), 1 a file, which may be asked for its size, 2 a stream (the program sees a pipe). */
long homi_stdin_read(void *buf, uint64_t n, uint64_t offset);
/* The IDs that the program runs with, independent of homi's IDs. 0: uid, 1: euid, 2: gid, 3: egid. */
long homi_host_id(int which);

/* ---- inputs ---- */

/* Keeps the inputs for which the condition holds. Where there is none the path ends without a test. */
void homi_assume(uint64_t condition);

/* ---- what leaves the program ---- */

/* Bytes that reach the terminal. stream: 1 standard output, 2 standard error, 3 the report on files of a predicted outcome. */
void homi_output(int stream, const void *buf, uint64_t n);
/* 1 if this execution predicts the outcome of a test, so that output to a symbolic standard output is put out, too. */
int homi_predicts(void);
/* A number by which everything varies that a program must not rely on (process numbers, random bytes): 0, but in a test's
 * second prediction. */
uint64_t homi_variation(void);
/* The path ends: normally with an exit status; as a bug of kind abort; as a named gap of ours. */
void homi_exit(int status) __attribute__((noreturn));
void homi_abort(void) __attribute__((noreturn));
void homi_unsupported(const char *what) __attribute__((noreturn));

/* ---- values ---- */

/* A value of v on this path, to which v is constrained from here on: one path for each, or, if there are many, one for all
 * of them, which the run counts as concretized. Concrete values are returned as they are. */
uint64_t homi_concretize(uint64_t v);
/* The same, but v itself if there are many. */
uint64_t homi_each_value(uint64_t v);
/* The same for all bytes of a string up to and with its NUL; the bytes in memory become concrete. */
void homi_concretize_string(const char *s);
/* The caller goes on with fewer values or possibilities than the path allows and has not asked for one: the run counts
 * it as concretized. `kind` says in a few words what stands for what. */
void homi_note_concretized(const char *kind);
/* A symbolic n that is more than the bytes at p, up to their object's end, is a bug on a path of its own. */
void homi_require_room(const void *p, uint64_t n, int writing);
/* memmove, by the engine itself for a symbolic n, too. */
void homi_copy(void *to, const void *from, uint64_t n);
/* Nanoseconds since 1970 on the deterministic clock. */
uint64_t homi_clock_ns(void);

/* ---- memory: the C allocator under names that no program defines ---- */

void *homi_malloc(uint64_t n);
void *homi_calloc(uint64_t n, uint64_t size);
void *homi_realloc(void *p, uint64_t n);
void *homi_aligned_alloc(uint64_t alignment, uint64_t n);
void homi_free(void *p);

/* ---- mappings: addresses and sizes are multiples of a page ---- */

/* True if nothing lies at these addresses. */
int homi_is_free(uint64_t address, uint64_t n);
/* Maps zeros at these addresses, which are free; address 0: anywhere. Where they are, or 0. */
uint64_t homi_map(uint64_t address, uint64_t n);
/* Maps like homi_map, but the first `there` bytes share memory with the bytes at `bytes` in a block of the allocator. */
uint64_t homi_map_window(uint64_t address, uint64_t n, const void *bytes, uint64_t there);
/* Gives back what is mapped at these addresses. */
void homi_unmap(uint64_t address, uint64_t n);
/* Sets the permitted accesses: 0 none, 1 reads, 2 all. Returns 0, or -1 if the range has a gap. */
int homi_protect(uint64_t address, uint64_t n, int access);

/* ---- threads: a call stack for each, of which one runs ---- */

/* A further call stack, which begins with `entry` when it is first switched to. `entry` never returns. Others join the thread by
 * its `name`. */
void homi_thread_start(void (*entry)(void), uint64_t number, const void *name);
/* Goes on with the stack of that number. The current one is kept, and continues here when it is switched to; or
 * it is dropped, if it has ended. Number 0 is the stack on which the program started. */
void homi_thread_switch(uint64_t number, int ended);
/* The thread-local variables of the program, if it can start threads, with a null behind the last. */
struct homi_thread_local {
  void *variable;
  unsigned long size;
  unsigned long alignment; /* in bytes, at least malloc's */
};
extern struct homi_thread_local homi_thread_local_list[];
/* The kernel's: their addresses in the thread that runs. */
extern void **homi_thread_locals;

/* After this number of instructions of this path, `tick` is called between two instructions of user code; 0: never. A call
 * replaces an earlier call's request; so does the tick itself. */
void homi_tick_after(void (*tick)(void), uint64_t instructions);

/* Maximum number of preemptions on a path. */
uint64_t homi_preemptions(void);
/* From now on `entry` is called before atomic accesses and calls of the program that synchronize; null: nothing is. */
void homi_preempt_by(void (*entry)(void));

/* Between them the thread that runs keeps its turn, unless it waits. */
void homi_atomic_begin(void);
void homi_atomic_end(void);

/* ---- exceptions: frames are named by their depth, 1 for the outermost ---- */

/* The depth of the function that asks. */
uint64_t homi_unwind_depth(void);
/* The index-th clause of the landing pad of the call that a frame is in. words[0] becomes the address of its
 * type's std::type_info (0: any type), words[1] the selector. What it is: 0 there is none; 1 it catches the type;
 * 2 it catches all but the types that follow; 3 one of these; 4 it cleans up, whatever the type; 5 exceptions
 * cannot leave this frame. */
int homi_unwind_clause(uint64_t depth, uint64_t index, uint64_t words[2]);
/* Leaves all frames above, and goes on at the landing pad of the call that the frame is in. */
void homi_unwind_land(uint64_t depth, const void *exception, int selector) __attribute__((noreturn));
/* The path ends as a bug of kind abort: std::terminate was called while an exception of the type with this
 * mangled name was on its way (0: none was). */
void homi_uncaught(const char *mangled) __attribute__((noreturn));

/* ---- findings after which the path goes on ---- */

/* A bug of the program, of the kind that the suffix of KLEE's error files names; this path goes on. */
void homi_report_error(const char *message, const char *suffix);

#ifdef __cplusplus
}
#endif
#endif

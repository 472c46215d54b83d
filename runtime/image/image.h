/* The native image of a program: the program, libc.bc and kernel.bc as one static executable, in which inputs run
 * one after the other, each on the memory that the first one found. homi starts it and shares memory with it
 * (src/native/image). Freestanding; nothing is symbolic. */
#ifndef HOMI_IMAGE_H
#define HOMI_IMAGE_H

#include <stddef.h>
#include <stdint.h>

enum {
  SHARED_FILE = 3, /* descriptor of the shared memory: struct shared, one byte for each branch side, struct comparisons */
  REQUESTS = 4,    /* homi's bytes: '+' starts a process for inputs, 'x' executes an input, 'c' also records comparisons,
                      'a' is an answer of the host */
  REPLIES = 5,     /* '+' and the number of the process; 'e' an input has ended; 'h' a question to the host; '-' and a wait status */
};

enum end { END_NONE, END_EXIT, END_ABORT, END_ERROR, END_GAP, END_SILENT, END_HUNG };

enum host_call { HOST_STAT, HOST_READ, HOST_READLINK, HOST_READDIR, HOST_GETCWD, HOST_INPUT_KIND, HOST_INPUT, HOST_ID, HOST_CLOCK };

enum { ARGUMENTS_SIZE = 65536, PATH_SIZE = 4096, ANSWER_SIZE = 65536, MEMORY_SIZE = 1 << 20, OBJECTS_SIZE = 1 << 20 };

/* src/native/image/shared.rs has the same fields. */
struct shared {
  int64_t work;          /* in: the units that an execution may take; out: those left */
  uint32_t objects_size; /* in: bytes of `objects` */
  uint32_t ended;        /* out: enum end */
  int32_t status;        /* out: the exit status */
  uint32_t unknown;      /* out: symbolic objects that the input does not have */
  char what[128];        /* out: what an error or a gap is, with a NUL */
  /* A question to the host, and its answer. */
  uint32_t call, path_size;
  uint64_t first, second;
  int64_t result;
  uint32_t answer_size, remembered; /* bytes of `answer`; of `memory` */
  uint32_t arguments_size;   /* in: bytes of `arguments` */
  char arguments[ARGUMENTS_SIZE]; /* the program's arguments, with a NUL behind each */
  char path[PATH_SIZE];
  uint8_t answer[ANSWER_SIZE];
  uint8_t memory[MEMORY_SIZE]; /* questions with their answers: the host does not change */
  uint8_t objects[OBJECTS_SIZE]; /* each: size of the name, size of the bytes (4 bytes each), name, bytes */
};

extern struct shared *const homi_shared;

enum { OPERAND_SIZE = 32, SITES = 1 << 14, MOST_OF_SITE = 16, MOST_COMPARISONS = 1 << 13 };

/* What was compared: integers for equality or for order, or texts. */
enum { COMPARED_EQUAL, COMPARED_ORDER, COMPARED_TEXTS };

struct comparison {
  uint8_t kind, left_size, right_size, left[OPERAND_SIZE], right[OPERAND_SIZE];
};

/* src/native/image/compared.rs has the same fields. */
struct comparisons {
  uint32_t count;
  struct comparison list[MOST_COMPARISONS];
  struct site { uint16_t count, last; } sites[SITES]; /* the comparisons of each place in the code, and its last one */
};

/* Where start.c maps it, behind the bytes of the branch sides in the file. */
#define COMPARISONS ((struct comparisons *)0x240000000000)

/* The execution that begins records comparisons. */
void image_record(void);

/* The function to call for a function of the program: the copy that records, while comparisons are recorded. */
void *homi_image_copy_of(void *function);

/* Linux's. */
long image_syscall(long n, long a, long b, long c, long d, long e, long f);

/* The execution ends. */
void image_end(enum end end, int status, const char *what) __attribute__((noreturn));

/* Blocks of the execution lie from here on; memory behind the last block is zero. */
void image_forget_blocks(void);

/* Makes a call stack at `top` and runs a function on it, which does not return. */
void image_run_on(void *top, void (*function)(void)) __attribute__((noreturn));

void image_copy(void *to, const void *from, size_t n);
void image_clear(void *to, size_t n);

#endif

/* Records the input of a program during its run; recorder.c describes the format of the file. */
#ifndef HOMI_RECORDER_H
#define HOMI_RECORDER_H

#include <stddef.h>
#include <sys/types.h>

/* Nothing in here is seen by the program but what stands for a function of libc. */
#define SHOWN __attribute__((visibility("default")))

/* Nonzero in a process whose input is written down. */
extern int homi_recording;
/* The most bytes of one input that are kept. */
extern size_t homi_limit;

/* True if this process is one to write down, and the names and values for the processes it starts. */
void homi_begin(int argc, char **argv, char **envp);

/* Adds an event to this process's file. */
void homi_event(char tag, const void *first, size_t first_size, const void *second, size_t second_size);

/* The program has opened `path` for reading, as `fd` (from homi_open_fd where it has none to look at). */
void homi_opened(const char *path, int fd);

/* The program's standard input: made ready before main; bytes that the program got by read(2). */
void homi_begin_input(void);
int homi_is_input(int fd);
void homi_got_input(const void *bytes, size_t size);

/* The real function of that name. */
void *homi_next(const char *name);

/* `envp` with what lets a program be recorded, in `room` entries; envp itself if it has that. */
size_t homi_count(char *const *envp);
char *const *homi_with_variables(char *const *envp, char **room);
enum { HOMI_EXTRA = 6 };

#endif

// Threads that are joined or detached although they were joined or detached before, while they run and after their end.
// input: 1
// flags: -pthread
#include "outcome.h"
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static unsigned char in;
static int pipe_of[2];

static void *work(void *nothing) {
  char byte;
  if (in & 4) read(pipe_of[0], &byte, 1);
  return 0;
}

static int number_of(int error) { return error == 0 ? 0 : error == ESRCH ? 1 : error == EINVAL ? 2 : 3; }

int main(void) {
  pthread_t thread;
  int first, second, detaches_first, detaches_again;
  take(&in, 1);
  detaches_first = in & 1, detaches_again = in & 2;
  if (pipe(pipe_of) || pthread_create(&thread, 0, work, 0)) return 90;
  if (!detaches_first) write(pipe_of[1], "x", 1);
  first = detaches_first ? pthread_detach(thread) : pthread_join(thread, 0);
  second = detaches_again ? pthread_detach(thread) : pthread_join(thread, 0);
  return each(10 + number_of(first) * 4 + number_of(second));
}

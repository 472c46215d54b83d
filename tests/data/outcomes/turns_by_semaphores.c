// Two threads that take turns by semaphores.
// input: 1
// flags: -pthread
#include "outcome.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int turns, log_of_turns;
static void *answer(void *argument) {
  for (int i = 0; i < turns; i++) {
    sem_wait(&ping);
    log_of_turns = log_of_turns * 2 + 1;
    sem_post(&pong);
  }
  return argument;
}

int main(void) {
  unsigned char in;
  pthread_t thread;
  int value;
  take(&in, 1);
  turns = in & 3;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, in >= 128);
  if (pthread_create(&thread, 0, answer, 0)) return 90;
  for (int i = 0; i < turns; i++) {
    log_of_turns *= 2;
    sem_post(&ping);
    if (in < 128) sem_wait(&pong);
  }
  pthread_join(thread, 0);
  sem_getvalue(&pong, &value);
  if (sem_trywait(&ping) != -1 || errno != EAGAIN) return 91;
  if (in >= 128) return value == turns + 1 ? 100 + turns : 92;
  return value ? 93 : log_of_turns;
}

// Robust locks whose owner ended, barriers, counted semaphores and locks for reading with time limits.
// input: 1
// flags: -pthread
#define _GNU_SOURCE
#include "outcome.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_barrier_t barrier;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t tokens;
static int serial;

static void *dies(void *unlocks) {
  pthread_mutex_lock(&mutex);
  if (unlocks) pthread_mutex_unlock(&mutex);
  return 0;
}
static void *meets(void *own) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
  sem_post(&tokens);
  return 0;
}

int main(void) {
  unsigned char in;
  pthread_t one, two;
  pthread_mutexattr_t kind;
  take(&in, 1);
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &kind);
  pthread_create(&one, 0, dies, (void *)(long)(in & 1));
  pthread_join(one, 0);
  int how = pthread_mutex_lock(&mutex);
  if (how == EOWNERDEAD) {
    if (in & 2 && pthread_mutex_consistent(&mutex)) return 90;
    pthread_mutex_unlock(&mutex);
    int after = pthread_mutex_lock(&mutex);
    return after == ENOTRECOVERABLE ? 1 : after == 0 ? 2 : 91;
  }
  if (how) return 92;
  pthread_mutex_unlock(&mutex);
  sem_init(&tokens, 0, 0);
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&one, 0, meets, 0);
  pthread_create(&two, 0, meets, 0);
  meets(0);
  for (int i = 0; i < 3; i++)
    if (sem_wait(&tokens)) return 93;
  if (sem_trywait(&tokens) != -1 || errno != EAGAIN) return 94;
  pthread_join(one, 0);
  pthread_join(two, 0);
  if (serial != 1 || pthread_barrier_destroy(&barrier)) return 95;
  struct timespec past = {0, 0};
  if (pthread_rwlock_rdlock(&shared)) return 96;
  if (in & 4) return pthread_rwlock_timedwrlock(&shared, &past) == ETIMEDOUT ? 3 : 97;
  if (pthread_rwlock_tryrdlock(&shared) || pthread_rwlock_trywrlock(&shared) != EBUSY) return 98;
  return 4;
}

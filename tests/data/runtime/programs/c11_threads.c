/* C11 threads, attributes of POSIX threads, and the variants of locks with a time limit. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static mtx_t mutex;
static cnd_t changed;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int turn, once_count, destroyed;

static void count_once(void) { once_count++; }
static void destroy(void *value) { __atomic_fetch_add(&destroyed, *(int *)value, __ATOMIC_SEQ_CST); }

static int take_turns(void *argument) {
  int self = *(int *)argument;
  call_once(&once, count_once);
  tss_set(key, argument);
  for (int i = 0; i < 3; i++) {
    mtx_lock(&mutex);
    while (turn % 3 != self) cnd_wait(&changed, &mutex);
    turn++;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    thrd_yield();
  }
  if (*(int *)tss_get(key) != self) return -1;
  if (self == 2) thrd_exit(20);
  return self * 10;
}

static void c11(void) {
  thrd_t threads[3];
  int numbers[3], result;
  struct timespec past = {1, 0}, short_time = {0, 1000};
  SHOW(mtx_init(&mutex, mtx_plain));
  SHOW(cnd_init(&changed));
  SHOW(tss_create(&key, destroy));
  for (int i = 0; i < 3; i++) numbers[i] = i, thrd_create(&threads[i], take_turns, &numbers[i]);
  for (int i = 0; i < 3; i++) thrd_join(threads[i], &result), SHOW(result);
  SHOW(turn), SHOW(once_count), SHOW(destroyed);
  SHOW(thrd_equal(thrd_current(), thrd_current()) != 0);
  SHOW(mtx_trylock(&mutex));
  SHOW(mtx_trylock(&mutex) == thrd_busy);
  SHOW(cnd_timedwait(&changed, &mutex, &past) == thrd_timedout);
  SHOW(cnd_signal(&changed));
  SHOW(mtx_unlock(&mutex));
  mtx_destroy(&mutex), cnd_destroy(&changed), tss_delete(key);
  SHOW(mtx_init(&mutex, mtx_timed | mtx_recursive));
  SHOW(mtx_timedlock(&mutex, &past)), SHOW(mtx_lock(&mutex)), SHOW(mtx_unlock(&mutex)), SHOW(mtx_unlock(&mutex));
  SHOW(thrd_sleep(&short_time, NULL));
}

static void *nothing(void *argument) { return argument; }

static void attributes(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  int value;
  size_t size;
  void *address;
  struct sched_param parameters;
  SHOW(pthread_attr_init(&attributes));
  SHOW(pthread_attr_getdetachstate(&attributes, &value)), SHOW(value == PTHREAD_CREATE_JOINABLE);
  SHOW(pthread_attr_setdetachstate(&attributes, 7));
  SHOW(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
  SHOW(pthread_attr_getdetachstate(&attributes, &value)), SHOW(value == PTHREAD_CREATE_DETACHED);
  SHOW(pthread_create(&thread, &attributes, nothing, NULL));
  SHOW(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE));
  SHOW(pthread_attr_setstacksize(&attributes, 1));
  SHOW(pthread_attr_setstacksize(&attributes, 1 << 20)), SHOW(pthread_attr_getstacksize(&attributes, &size)), SHOW(size);
  SHOW(pthread_attr_setguardsize(&attributes, 8192)), SHOW(pthread_attr_getguardsize(&attributes, &size)), SHOW(size);
  SHOW(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM)), SHOW(pthread_attr_getscope(&attributes, &value)), SHOW(value == PTHREAD_SCOPE_SYSTEM);
  SHOW(pthread_attr_setinheritsched(&attributes, PTHREAD_INHERIT_SCHED)), SHOW(pthread_attr_getinheritsched(&attributes, &value)), SHOW(value == PTHREAD_INHERIT_SCHED);
  SHOW(pthread_attr_getschedpolicy(&attributes, &value)), SHOW(value == SCHED_OTHER);
  SHOW(pthread_attr_getschedparam(&attributes, &parameters)), SHOW(parameters.sched_priority);
  SHOW(pthread_create(&thread, &attributes, nothing, &size));
  SHOW(pthread_join(thread, &address)), SHOW(address == &size);
  SHOW(pthread_attr_destroy(&attributes));
  SHOW(pthread_create(&thread, NULL, nothing, NULL)), SHOW(pthread_detach(thread));
}

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static void *tries(void *argument) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_nsec = limit.tv_nsec > 900000000 ? 0 : limit.tv_nsec + 1000000;
  SHOW(pthread_mutex_trylock(&shared));
  SHOW(pthread_mutex_timedlock(&shared, &limit));
  return NULL;
}

static void locks(void) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t checked, recursive;
  pthread_rwlock_t rw;
  pthread_rwlockattr_t rw_attributes;
  pthread_condattr_t cond_attributes;
  pthread_cond_t cond;
  pthread_barrierattr_t barrier_attributes;
  pthread_barrier_t barrier;
  pthread_spinlock_t spin;
  pthread_key_t first, second;
  pthread_t thread;
  clockid_t clock;
  sem_t semaphore;
  struct timespec past = {1, 0};
  int value;
  SHOW(pthread_mutexattr_init(&attributes));
  SHOW(pthread_mutexattr_gettype(&attributes, &value)), SHOW(value == PTHREAD_MUTEX_DEFAULT);
  SHOW(pthread_mutexattr_settype(&attributes, 99));
  SHOW(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK)), SHOW(pthread_mutex_init(&checked, &attributes));
  SHOW(pthread_mutex_unlock(&checked)), SHOW(pthread_mutex_lock(&checked)), SHOW(pthread_mutex_lock(&checked)), SHOW(pthread_mutex_unlock(&checked));
  SHOW(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE)), SHOW(pthread_mutex_init(&recursive, &attributes));
  SHOW(pthread_mutex_lock(&recursive)), SHOW(pthread_mutex_trylock(&recursive)), SHOW(pthread_mutex_unlock(&recursive)), SHOW(pthread_mutex_unlock(&recursive));
  SHOW(pthread_mutex_unlock(&recursive));
  SHOW(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED)), SHOW(pthread_mutexattr_getpshared(&attributes, &value)), SHOW(value == PTHREAD_PROCESS_SHARED);
  SHOW(pthread_mutexattr_getprotocol(&attributes, &value)), SHOW(value == PTHREAD_PRIO_NONE);
  SHOW(pthread_mutexattr_getrobust(&attributes, &value)), SHOW(value == PTHREAD_MUTEX_STALLED);
  SHOW(pthread_mutexattr_destroy(&attributes)), SHOW(pthread_mutex_destroy(&checked)), SHOW(pthread_mutex_destroy(&recursive));
  pthread_mutex_lock(&shared);
  pthread_create(&thread, NULL, tries, NULL), pthread_join(thread, NULL);
  pthread_mutex_unlock(&shared);

  SHOW(pthread_rwlockattr_init(&rw_attributes)), SHOW(pthread_rwlockattr_getpshared(&rw_attributes, &value)), SHOW(value), SHOW(pthread_rwlock_init(&rw, &rw_attributes));
  SHOW(pthread_rwlock_tryrdlock(&rw)), SHOW(pthread_rwlock_rdlock(&rw)), SHOW(pthread_rwlock_trywrlock(&rw)), SHOW(pthread_rwlock_timedwrlock(&rw, &past));
  SHOW(pthread_rwlock_unlock(&rw)), SHOW(pthread_rwlock_unlock(&rw)), SHOW(pthread_rwlock_trywrlock(&rw)), SHOW(pthread_rwlock_tryrdlock(&rw));
  SHOW(pthread_rwlock_timedrdlock(&rw, &past) != 0), SHOW(pthread_rwlock_unlock(&rw)), SHOW(pthread_rwlock_destroy(&rw)), SHOW(pthread_rwlockattr_destroy(&rw_attributes));

  SHOW(pthread_condattr_init(&cond_attributes)), SHOW(pthread_condattr_setclock(&cond_attributes, CLOCK_MONOTONIC)), SHOW(pthread_condattr_getclock(&cond_attributes, &clock));
  SHOW(clock == CLOCK_MONOTONIC), SHOW(pthread_cond_init(&cond, &cond_attributes)), SHOW(pthread_condattr_destroy(&cond_attributes));
  pthread_mutex_lock(&shared);
  SHOW(pthread_cond_timedwait(&cond, &shared, &(struct timespec){0, 1}));
  pthread_mutex_unlock(&shared);
  SHOW(pthread_cond_signal(&cond)), SHOW(pthread_cond_destroy(&cond));

  SHOW(pthread_barrierattr_init(&barrier_attributes)), SHOW(pthread_barrier_init(&barrier, &barrier_attributes, 0)), SHOW(pthread_barrier_init(&barrier, &barrier_attributes, 1));
  SHOW(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD), SHOW(pthread_barrier_destroy(&barrier)), SHOW(pthread_barrierattr_destroy(&barrier_attributes));
  SHOW(pthread_spin_init(&spin, 0)), SHOW(pthread_spin_trylock(&spin)), SHOW(pthread_spin_trylock(&spin)), SHOW(pthread_spin_unlock(&spin)), SHOW(pthread_spin_destroy(&spin));
  SHOW(pthread_key_create(&first, NULL)), SHOW(pthread_key_create(&second, NULL)), SHOW(first == second), SHOW(pthread_setspecific(first, &value)), SHOW(pthread_getspecific(first) == &value);
  SHOW(pthread_key_delete(first)), SHOW(pthread_key_delete(second));
  SHOW(sem_init(&semaphore, 0, 2)), SHOW(sem_getvalue(&semaphore, &value)), SHOW(value), SHOW(sem_trywait(&semaphore)), SHOW(sem_trywait(&semaphore));
  CALL(sem_trywait(&semaphore)), CALL(sem_timedwait(&semaphore, &past)), SHOW(sem_post(&semaphore)), SHOW(sem_wait(&semaphore)), SHOW(sem_destroy(&semaphore));
  SHOW(pthread_getconcurrency()), SHOW(pthread_setconcurrency(0));
  SHOW(pthread_setcancelstate(9, NULL)), SHOW(pthread_setcanceltype(9, NULL));
  SHOW(pthread_kill(pthread_self(), 0)), SHOW(pthread_kill(pthread_self(), 999));
  SHOW(pthread_atfork(NULL, NULL, NULL));
}

int main(void) {
  c11();
  attributes();
  locks();
  return 0;
}

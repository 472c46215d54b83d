// Mutexes: robust ones whose owner has ended, priority protocols, refusals of attributes, cancellation of a thread that waits for one.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static pthread_mutex_t m;
static struct timespec soon(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t), t.tv_nsec += 3000000; if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000; return t; }
static void init(int type, int robust, int protocol) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a), pthread_mutexattr_settype(&a, type), pthread_mutexattr_setrobust(&a, robust), pthread_mutexattr_setprotocol(&a, protocol);
  CALL(pthread_mutex_init(&m, &a)), pthread_mutexattr_destroy(&a);
}
static int result;
static void *lock_and_end(void *twice) { result = pthread_mutex_lock(&m); if (twice) result += 100 * pthread_mutex_lock(&m); return 0; }
static void *try(void *x) { result = pthread_mutex_trylock(&m); if (!result || result == EOWNERDEAD) pthread_mutex_unlock(&m); return 0; }
static void *unlock(void *x) { result = pthread_mutex_unlock(&m); return 0; }
static void *timed(void *x) { struct timespec t = soon(); result = pthread_mutex_timedlock(&m, &t); if (!result) pthread_mutex_unlock(&m); return 0; }
static void *clocked(void *x) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t), result = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &t); return 0; }
static int in(void *(*f)(void *), void *x) { pthread_t t; pthread_create(&t, 0, f, x), pthread_join(t, 0); return result; }

static void attributes(void) {
  pthread_mutexattr_t a; int n = 77, i;
  CALL(pthread_mutexattr_init(&a)), CALL(pthread_mutexattr_gettype(&a, &n)), SHOW(n), CALL(pthread_mutexattr_getprotocol(&a, &n)), SHOW(n), CALL(pthread_mutexattr_getrobust(&a, &n)), SHOW(n), CALL(pthread_mutexattr_getpshared(&a, &n)), SHOW(n), CALL(pthread_mutexattr_getprioceiling(&a, &n)), SHOW(n);
  for (i = -1; i < 5; i++) n = 77, CALL(pthread_mutexattr_settype(&a, i)), CALL(pthread_mutexattr_gettype(&a, &n)), SHOW(n), CALL(pthread_mutexattr_setprotocol(&a, i)), CALL(pthread_mutexattr_getprotocol(&a, &n)), SHOW(n), CALL(pthread_mutexattr_setrobust(&a, i)), CALL(pthread_mutexattr_getrobust(&a, &n)), SHOW(n), CALL(pthread_mutexattr_setpshared(&a, i)), CALL(pthread_mutexattr_getpshared(&a, &n)), SHOW(n), CALL(pthread_mutexattr_setprioceiling(&a, i)), CALL(pthread_mutexattr_getprioceiling(&a, &n)), SHOW(n);
  CALL(pthread_mutexattr_setprioceiling(&a, 99)), CALL(pthread_mutexattr_setprioceiling(&a, 100)), CALL(pthread_mutexattr_getprioceiling(&a, &n)), SHOW(n);
  pthread_mutexattr_init(&a), CALL(pthread_mutexattr_setrobust(&a, 1)), CALL(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT)), CALL(pthread_mutex_init(&m, &a)), pthread_mutexattr_init(&a), CALL(pthread_mutexattr_setpshared(&a, 1)), CALL(pthread_mutex_init(&m, &a)), CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_destroy(&m));
  pthread_mutexattr_init(&a), CALL(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT)), CALL(pthread_mutexattr_setpshared(&a, 1)), CALL(pthread_mutex_init(&m, &a)), CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_destroy(&m)), CALL(pthread_mutexattr_destroy(&a));
  pthread_mutex_init(&m, 0), CALL(pthread_mutex_getprioceiling(&m, &n)), CALL(pthread_mutex_setprioceiling(&m, 5, &n)), CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_destroy(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_destroy(&m));
}
static void kinds(void) {
  int type, protocol, robust;
  struct timespec t, bad = {time(0) + 9, 1000000000};
  for (type = 0; type < 3; type++) for (robust = 0; robust < 2; robust++) for (protocol = 0; protocol < 2; protocol++) {
    printf("type %d robust %d protocol %d\n", type, robust, protocol), init(type, robust, protocol);
    SHOW(in(unlock, 0)), CALL(pthread_mutex_lock(&m)), SHOW(in(try, 0)), SHOW(in(timed, 0)), SHOW(in(clocked, 0)), t = soon(), CALL(pthread_mutex_timedlock(&m, &t)), CALL(pthread_mutex_trylock(&m));
    if (type) CALL(pthread_mutex_lock(&m)), SHOW(in(unlock, 0));
    CALL(pthread_mutex_destroy(&m)), CALL(pthread_mutex_timedlock(&m, &bad)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_unlock(&m));
    if (type == 1) CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_unlock(&m));
    CALL(pthread_mutex_timedlock(&m, &bad)), SHOW(in(unlock, 0)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_destroy(&m));
  }
}
static void owners(void) {
  int type, protocol;
  struct timespec t;
  for (type = 0; type < 3; type++) for (protocol = 0; protocol < 2; protocol++) {
    printf("type %d protocol %d\n", type, protocol), init(type, 1, protocol);
    SHOW(in(lock_and_end, (void *)(long)(type == 1))), CALL(pthread_mutex_lock(&m)), SHOW(in(try, 0)), type == 1 ? 0 : CALL(pthread_mutex_trylock(&m)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_unlock(&m));
    SHOW(in(lock_and_end, 0)), CALL(pthread_mutex_trylock(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_lock(&m)), t = soon(), CALL(pthread_mutex_timedlock(&m, &t)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_trylock(&m)), t = soon(), CALL(pthread_mutex_timedlock(&m, &t)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_destroy(&m));
    init(type, 1, protocol), SHOW(in(lock_and_end, 0)), SHOW(in(lock_and_end, 0)), t = soon(), CALL(pthread_mutex_timedlock(&m, &t)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_destroy(&m));
    init(type, 0, protocol), SHOW(in(lock_and_end, 0)), SHOW(in(try, 0)), CALL(pthread_mutex_consistent(&m)), t = soon(), CALL(pthread_mutex_timedlock(&m, &t));
  }
}
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static void *holder(void *x) { pthread_mutex_lock(&m), sem_post(&ready), usleep(3000); return 0; }
static void *waiter(void *x) { result = pthread_mutex_lock(&m), sem_post(&ready), pthread_cond_wait(&c, &m), result += 1000, pthread_mutex_unlock(&m); return 0; }
static void waiting(void) {
  pthread_t t; int protocol;
  for (protocol = 0; protocol < 2; protocol++) {
    sem_init(&ready, 0, 0), init(0, 1, protocol), pthread_create(&t, 0, holder, 0), sem_wait(&ready), CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_unlock(&m)), pthread_join(t, 0);
    pthread_create(&t, 0, holder, 0), pthread_detach(t), sem_wait(&ready), CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_consistent(&m)), CALL(pthread_mutex_unlock(&m));
    init(2, 0, protocol), pthread_create(&t, 0, waiter, 0), sem_wait(&ready), CALL(pthread_mutex_lock(&m)), CALL(pthread_cond_signal(&c)), CALL(pthread_mutex_unlock(&m)), pthread_join(t, 0), SHOW(result), CALL(pthread_mutex_destroy(&m));
  }
}
static void *self_waiter(void *x) { pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0), pthread_mutex_lock(&m), sem_post(&ready), pthread_mutex_lock(&m); return 0; }
static void *cond_waiter(void *x) { pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0), sem_post(&ready), pthread_mutex_lock(&m); return 0; }
static void *deferred(void *x) { sem_post(&ready), pthread_mutex_lock(&m), result = 5, pthread_testcancel(), result = 6; return 0; }
static void *spinner(void *x) { volatile long n = 0; pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0), sem_post(&ready); for (;;) n++; return 0; }
static void cancelled(void) {
  pthread_t t; void *r;
  pthread_mutex_init(&m, 0), pthread_create(&t, 0, self_waiter, 0), sem_wait(&ready), usleep(2000), CALL(pthread_cancel(t)), CALL(pthread_join(t, &r)), SHOW(r == PTHREAD_CANCELED), CALL(pthread_mutex_trylock(&m));
  pthread_mutex_init(&m, 0), pthread_mutex_lock(&m), pthread_create(&t, 0, cond_waiter, 0), sem_wait(&ready), usleep(2000), CALL(pthread_cancel(t)), CALL(pthread_join(t, &r)), SHOW(r == PTHREAD_CANCELED), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_trylock(&m)), CALL(pthread_mutex_unlock(&m));
  pthread_mutex_lock(&m), pthread_create(&t, 0, deferred, 0), sem_wait(&ready), usleep(2000), CALL(pthread_cancel(t)), usleep(2000), CALL(pthread_mutex_unlock(&m)), CALL(pthread_join(t, &r)), SHOW(r == PTHREAD_CANCELED), SHOW(result), CALL(pthread_mutex_trylock(&m));
  pthread_create(&t, 0, spinner, 0), sem_wait(&ready), CALL(pthread_cancel(t)), CALL(pthread_join(t, &r)), SHOW(r == PTHREAD_CANCELED);
}
static void ceilings(void) {
  pthread_mutexattr_t a; int n;
  pthread_mutexattr_init(&a), CALL(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT)), CALL(pthread_mutexattr_getprioceiling(&a, &n)), SHOW(n), CALL(pthread_mutexattr_setprioceiling(&a, 10)), CALL(pthread_mutex_init(&m, &a)), CALL(pthread_mutex_getprioceiling(&m, &n)), SHOW(n), CALL(pthread_mutex_setprioceiling(&m, 200, &n));
  CALL(pthread_mutex_lock(&m)), CALL(pthread_mutex_trylock(&m)), SHOW(in(try, 0)), CALL(pthread_mutex_unlock(&m)), CALL(pthread_mutex_setprioceiling(&m, 20, &n)), SHOW(n), CALL(pthread_mutex_getprioceiling(&m, &n)), SHOW(n), CALL(pthread_mutex_destroy(&m));
}
static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, a = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static void static_ones(void) {
  CALL(pthread_mutex_lock(&r)), CALL(pthread_mutex_lock(&r)), SHOW(r.__data.__count), SHOW(r.__data.__owner != 0), CALL(pthread_mutex_unlock(&r)), CALL(pthread_mutex_unlock(&r)), CALL(pthread_mutex_unlock(&r));
  CALL(pthread_mutex_lock(&e)), CALL(pthread_mutex_lock(&e)), CALL(pthread_mutex_unlock(&e)), CALL(pthread_mutex_lock(&a)), CALL(pthread_mutex_unlock(&a));
}
static pthread_barrier_t barrier;
static void *meet(void *x) { return (void *)(long)pthread_barrier_wait(&barrier); }
static void barriers(void) {
  pthread_t t[2]; void *first, *second; int i;
  CALL(pthread_barrier_init(&barrier, 0, 0)), CALL(pthread_barrier_init(&barrier, 0, 3));
  for (i = 0; i < 2; i++) pthread_create(&t[0], 0, meet, 0), pthread_create(&t[1], 0, meet, 0), usleep(20000), CALL(pthread_barrier_wait(&barrier)), pthread_join(t[0], &first), pthread_join(t[1], &second), SHOW((long)first), SHOW((long)second);
  CALL(pthread_barrier_destroy(&barrier));
}
int main(void) { setlinebuf(stdout), static_ones(), barriers(), attributes(), kinds(), owners(), waiting(), cancelled(), ceilings(); return 0; }

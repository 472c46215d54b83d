/* POSIX threads: the outcome must not depend on who runs when, since natively the machine decides. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 4, ROUNDS = 50 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static __thread int mine = 7;
static _Thread_local char name[16] = "unnamed";
static _Alignas(64) __thread char row[64] = "aligned";
static _Alignas(4096) __thread char page[8] = "page";

/* Threads that take turns: what they print has one order. */
static void *take_turns(void *argument) {
  int self = *(int *)argument, round;
  snprintf(name, sizeof name, "turn-%d", self);
  if ((uintptr_t)row % 64 || (uintptr_t)page % 4096) puts("a thread-local variable is misaligned");
  for (round = 0; round < 3; round++) {
    pthread_mutex_lock(&lock);
    while (turn % WORKERS != self) pthread_cond_wait(&changed, &lock);
    mine += self;
    printf("%s round %d mine %d\n", name, round, mine);
    turn++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

static void turns(void) {
  pthread_t threads[WORKERS];
  int numbers[WORKERS], i, joined = 0;
  void *result;
  mine = 1000;
  for (i = 0; i < WORKERS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, take_turns, &numbers[i])) exit(99);
  }
  for (i = 0; i < WORKERS; i++) {
    pthread_join(threads[i], &result);
    joined += *(int *)result;
  }
  printf("joined %d\n", joined);
  printf("main: mine %d name %s\n", mine, name);
}

/* A sum under each kind of lock. */
static pthread_spinlock_t spin;
static pthread_rwlock_t guard = PTHREAD_RWLOCK_INITIALIZER;
static sem_t slots;
static pthread_barrier_t barrier;
static atomic_int counted;
static long sums[4];
static int serial;

static void *add(void *argument) {
  long self = (long)argument;
  int i;
  for (i = 0; i < ROUNDS; i++) {
    pthread_spin_lock(&spin);
    sums[0] += self;
    pthread_spin_unlock(&spin);
    pthread_rwlock_wrlock(&guard);
    sums[1] += self;
    pthread_rwlock_unlock(&guard);
    sem_wait(&slots);
    sums[2] += self;
    sem_post(&slots);
    atomic_fetch_add(&counted, 1);
    if (i % 16 == 0) sched_yield();
  }
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_mutex_lock(&lock);
    serial++;
    pthread_mutex_unlock(&lock);
  }
  pthread_rwlock_rdlock(&guard);
  sums[3] += 0 * sums[1];
  pthread_rwlock_unlock(&guard);
  pthread_exit((void *)(self * 10));
}

static void locks(void) {
  pthread_t threads[WORKERS];
  void *result;
  long i;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&slots, 0, 1);
  pthread_barrier_init(&barrier, NULL, WORKERS);
  for (i = 0; i < WORKERS; i++) pthread_create(&threads[i], NULL, add, (void *)(i + 1));
  for (i = 0; i < WORKERS; i++) {
    pthread_join(threads[i], &result);
    printf("worker %ld gives %ld\n", i, (long)result);
  }
  printf("sums %ld %ld %ld, counted %d, serial %d\n", sums[0], sums[1], sums[2], counted, serial);
}

/* Kinds of mutexes and what they answer. */
static void *try_it(void *argument) { return (void *)(long)pthread_mutex_trylock(argument); }

static void mutexes(void) {
  static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE};
  unsigned i;
  for (i = 0; i < 3; i++) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_t other;
    void *result;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kinds[i]);
    pthread_mutex_init(&mutex, &attributes);
    printf("kind %u: lock %d", i, pthread_mutex_lock(&mutex));
    if (i > 0) printf(" again %d", pthread_mutex_lock(&mutex));
    pthread_create(&other, NULL, try_it, &mutex);
    pthread_join(other, &result);
    printf(" elsewhere %d", (int)(long)result);
    printf(" trylock %d", pthread_mutex_trylock(&mutex));
    printf(" unlock %d", pthread_mutex_unlock(&mutex));
    if (i == 2) printf(" %d %d", pthread_mutex_unlock(&mutex), pthread_mutex_unlock(&mutex));
    printf(" destroy %d\n", pthread_mutex_destroy(&mutex));
  }
}

/* Keys, once, errno, setjmp on a thread's own stack. */
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int destroyed, made;
static void destroy(void *value) { destroyed += *(int *)value, free(value); }
static void make(void) { made++, pthread_key_create(&key, destroy); }

static void *own_things(void *argument) {
  jmp_buf back;
  volatile int *value = malloc(sizeof *value);
  pthread_once(&once, make);
  *value = *(int *)argument;
  pthread_setspecific(key, (void *)value);
  errno = *value;
  sched_yield();
  if (setjmp(back) == 0) {
    sched_yield();
    longjmp(back, 1);
  }
  return (void *)(long)(errno == *(int *)pthread_getspecific(key));
}

static void things(void) {
  pthread_t threads[3];
  int values[3] = {1, 20, 300}, i;
  void *result;
  errno = 5;
  for (i = 0; i < 3; i++) pthread_create(&threads[i], NULL, own_things, &values[i]);
  for (i = 0; i < 3; i++) {
    pthread_join(threads[i], &result);
    printf("own things %ld\n", (long)result);
  }
  printf("made %d destroyed %d errno %d\n", made, destroyed, errno);
}

/* Time-outs, pipes, attributes, detached threads, the C11 names. */
static int ends[2];
static sem_t detached_done;

static void *read_all(void *argument) {
  char buffer[4];
  long sum = 0, n;
  (void)argument;
  while ((n = read(ends[0], buffer, sizeof buffer)) > 0) sum += n;
  return (void *)sum;
}

static void *detached(void *argument) { return sem_post(&detached_done), argument; }
static int standard(void *argument) { return thrd_yield(), *(int *)argument + 1; }

static void the_rest(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  struct timespec soon;
  void *result;
  size_t size;
  thrd_t c11;
  int number = 41, status;
  if (pipe(ends)) exit(98);
  pthread_create(&thread, NULL, read_all, NULL);
  if (write(ends[1], "hello", 5) != 5) exit(97);
  usleep(1000);
  if (write(ends[1], "world!", 6) != 6) exit(97);
  close(ends[1]);
  pthread_join(thread, &result);
  printf("read %ld\n", (long)result);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 1000000;
  if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
  pthread_mutex_lock(&lock);
  printf("timed wait %d\n", pthread_cond_timedwait(&changed, &lock, &soon) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  sem_init(&detached_done, 0, 0);
  printf("timed sem %d\n", sem_timedwait(&detached_done, &soon) < 0 && errno == ETIMEDOUT);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_attr_getstacksize(&attributes, &size);
  printf("stack %zu create %d\n", size, pthread_create(&thread, &attributes, detached, NULL));
  sem_wait(&detached_done);
  thrd_create(&c11, standard, &number);
  thrd_join(c11, &status);
  printf("c11 %d self %d\n", status, pthread_equal(pthread_self(), pthread_self()) != 0);
}

/* The process goes on after main's thread has ended. */
static void *last(void *argument) {
  pthread_t first = *(pthread_t *)argument;
  printf("main ended: %d\n", pthread_join(first, NULL));
  fflush(stdout);
  return NULL;
}

int main(void) {
  static pthread_t self;
  pthread_t thread;
  turns();
  locks();
  mutexes();
  things();
  the_rest();
  self = pthread_self();
  fflush(stdout);
  pthread_create(&thread, NULL, last, &self);
  pthread_exit(NULL);
}

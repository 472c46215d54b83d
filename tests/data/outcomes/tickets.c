// Ticket locks, exchanged pairs with tags and a stack without locks, by atomics of the compiler and of assembly.
// input: 2
// alphabet: 00 01 02 03 04 05
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

struct ticket {
  volatile unsigned next, now;
};
static void lock(struct ticket *lock) {
  unsigned mine = 1;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(mine), "+m"(lock->next)::"memory", "cc");
  while (lock->now != mine) __asm__ volatile("pause" ::: "memory");
}
static void unlock(struct ticket *lock) { __asm__ volatile("incl %0" : "+m"(lock->now)::"memory", "cc"); }

struct cell {
  int value;
  unsigned next;
};
static struct cell cells[9];
static _Atomic uint64_t top; /* the cell's number, and a tag above it */

static void push(unsigned number) {
  uint64_t old = atomic_load(&top);
  do cells[number].next = (unsigned)old;
  while (!atomic_compare_exchange_weak(&top, &old, ((old >> 32) + 1) << 32 | number));
}
static unsigned pop(void) {
  uint64_t old = atomic_load(&top);
  do
    if (!(unsigned)old) return 0;
  while (!atomic_compare_exchange_weak(&top, &old, ((old >> 32) + 1) << 32 | cells[(unsigned)old].next));
  return (unsigned)old;
}

static struct ticket guard;
static int sum;
static _Atomic int started;

static void *work(void *count) {
  atomic_fetch_add(&started, 1);
  while (atomic_load(&started) < 2) sched_yield();
  for (long i = 0; i < (long)count; i++) {
    lock(&guard);
    sum += cells[pop()].value;
    unlock(&guard);
  }
  return 0;
}

int main(void) {
  unsigned char in[2];
  pthread_t a, b;
  take(in, 2);
  for (unsigned i = 1; i < 9; i++) cells[i].value = 1, push(i);
  if (pthread_create(&a, 0, work, (void *)(long)(in[0] & 3))) return 90;
  if (pthread_create(&b, 0, work, (void *)(long)(in[1] & 3))) return 91;
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (guard.next != guard.now || (int)(atomic_load(&top) >> 32) != 8 + sum) return 92;
  return sum;
}

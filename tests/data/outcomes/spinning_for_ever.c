// Two spin locks taken in two orders: that path ends as a gap, and the run with it.
// statuses: 3
// deviation: end bugs
// input: 4
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_flag first = ATOMIC_FLAG_INIT, second = ATOMIC_FLAG_INIT;
static atomic_int held, in_order;
static int done;
static void enter(atomic_flag *lock) {
  while (atomic_flag_test_and_set(lock)) {
  }
}
static void *other(void *argument) {
  enter(in_order ? &first : &second);
  if (!in_order) {
    held++;
    while (held < 2) {
    }
  }
  enter(in_order ? &second : &first);
  done |= 1;
  atomic_flag_clear(&first);
  atomic_flag_clear(&second);
  return argument;
}

int main(void) {
  pthread_t thread;
  unsigned char in[4];
  take(in, sizeof in);
  in_order = memcmp(in, "spin", 4) != 0;
  if (pthread_create(&thread, 0, other, 0)) return 90;
  enter(&first);
  if (!in_order) {
    held++;
    while (held < 2) {
    }
  }
  enter(&second);
  done |= 2;
  atomic_flag_clear(&first);
  atomic_flag_clear(&second);
  pthread_join(thread, 0);
  return done;
}

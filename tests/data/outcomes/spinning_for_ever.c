// Two spin locks taken in two orders: that path ends as a gap, and the run with it.
// statuses: 3
// deviation: end
// run: --sym-arg 1
// replay: any
// flags: -pthread
#include "outcome.h"
#include <pthread.h>
#include <stdatomic.h>

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

int main(int count, char **words) {
  pthread_t thread;
  in_order = count < 2 || words[1][0] != 'x';
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

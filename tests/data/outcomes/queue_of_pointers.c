// A heap of pointers ordered by what they point to; one of them is changed under its feet.
// input: 4
// alphabet: 00 01 02 03 04 05 06 07
#include "outcome.h"
#include <stdlib.h>

struct job {
  int when, at;
};
static struct job *heap[8];
static int count;

static void set(int at, struct job *job) {
  heap[at] = job;
  job->at = at;
}
static void up(int at) {
  struct job *job = heap[at];
  while (at > 0 && heap[(at - 1) / 2]->when > job->when) {
    set(at, heap[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  set(at, job);
}

int main(void) {
  struct job *job[5];
  unsigned char in[4];
  take(in, sizeof in);
  in[3] &= 7;
  for (int i = 0; i < 5; i++) {
    if (!(job[i] = malloc(sizeof **job))) return 249;
    job[i]->when = (i * 3 + 1) % 7;
    heap[count] = job[i];
    up(count++);
  }
  struct job *changed = job[in[0] % 5];
  int when = in[1] & 7;
  if (when <= changed->when) {
    changed->when = when;
    up(changed->at);
  } else if (in[2] == 7) {
    return 60;
  }
  for (int i = 1; i < count; i++)
    if (heap[(i - 1) / 2]->when > heap[i]->when) return 100;
  if (in[3] > 4) return each(heap[in[3]] ? 70 : 71 + (in[3] == 5));
  return each(heap[0]->when * 8 + heap[in[3]]->at);
}

// Pointers stored at a symbolic place of a table of 8 KiB, found again, hashed, compared, cast.
// expect: statuses 0 1 9 21 31
// level: -O0
// level: -O1
#include <klee/klee.h>
#include <stdint.h>
#include <stdlib.h>
struct node {
  int value;
  struct node *next;
};
static struct node *bucket[1024];
int main(void) {
  unsigned short k;
  unsigned char which;
  klee_make_symbolic(&k, sizeof k, "k");
  klee_make_symbolic(&which, 1, "which");
  struct node *n[4];
  for (int i = 0; i < 4; i++) {
    n[i] = malloc(sizeof **n);
    n[i]->value = i * 10;
    n[i]->next = 0;
  }
  bucket[k & 1023] = n[which & 3];
  struct node *p = bucket[500];
  if (!p)
    return 9;
  uintptr_t hash = ((uintptr_t)p >> 4) % 7;
  if (p == n[2])
    return 20 + (p->value == 20);
  if (p < n[2])
    return p->value / 10;
  return 30 + (hash < 7);
}

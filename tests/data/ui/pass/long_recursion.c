// A recursion of 20,000 calls fits onto a stack of 8 MiB.
// expect: exits 2
// expect: statuses 10 64
// level: -O0
#include <klee/klee.h>
#include <stdlib.h>
struct node { struct node *next; };
static long length(const struct node *list) { return list ? 1 + length(list->next) : 0; }
int main(void) {
  struct node *list = 0;
  long n = klee_range(0, 2, "deep") ? 20000 : 10;
  for (long i = 0; i < n; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  n = length(list);
  return n == 10 ? 10 : (int)(n % 128) + 32;
}

// Pointers kept in heap objects are followed without forks.
// expect: exits 2
// expect: statuses 0 1
// level: -O0
// uses: undefined values
#include <klee/klee.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 5; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->value = i == 2 ? klee_int("v") : i;
    list = node;
  }
  int sum = 0;
  while (list) {
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  if (sum == 50) return 1;
  return 0;
}

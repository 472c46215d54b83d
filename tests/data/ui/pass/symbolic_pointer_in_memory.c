// Pointers that a condition chooses point to the same objects after they have been in memory.
// expect: statuses 1 2 3 20 30
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static int one = 1, two = 2, three[2] = {9, 3};
struct node {
  struct node *next;
  int value;
};
int main(void) {
  int x = klee_int("x");
  int *volatile p[2];
  p[1] = x == 5 ? &one : x == 6 ? &two : &three[1];
  if (x < 9)
    return *p[1];
  struct node a = {0, 20}, *b = malloc(sizeof *b), *copy;
  b->next = &a;
  b->value = 30;
  struct node *volatile list = x < 100 ? &a : b;
  memcpy(&copy, (void *)&list, sizeof copy);
  if (copy->next && copy->next != &a)
    return 1;
  return copy->value;
}

// The shape of search trees, which twalk shows: glibc's are red-black.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned walked;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void visit(const void *node, VISIT when, int depth) {
  walked = walked * 31 + (unsigned)(**(int *const *)node * 7 + (int)when * 3 + depth);
}

static void show(const void *node, VISIT when, int depth) {
  if (when == preorder || when == leaf) printf("%d@%d ", **(int *const *)node, depth);
}

static void small(void) {
  static int values[] = {50, 30, 70, 20, 40, 60, 80, 30, 10, 90, 85, 95};
  void *root = NULL;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) tsearch(&values[i], &root, compare);
  twalk(root, show);
  tdelete(&values[0], &root, compare);
  tdelete(&values[3], &root, compare);
  twalk(root, show);
  printf("%d\n", tdelete(&values[0], &root, compare) == NULL);
}

static void many(int most) {
  static int values[200];
  static unsigned state = 3;
  void *root = NULL;
  for (int i = 0; i < 200; i++) values[i] = i;
  for (int i = 0; i < 300; i++) {
    state = state * 1103515245 + 12345;
    int *value = &values[(state >> 16) % (unsigned)most];
    if ((state >> 9) % 3) tsearch(value, &root, compare);
    else walked += tdelete(value, &root, compare) != NULL;
    if (i % 7 == 0) twalk(root, visit);
  }
  while (root) {
    tdelete(*(int **)root, &root, compare);
    if (root) twalk(root, visit);
  }
  printf("%u\n", walked);
}

int main(void) {
  small();
  many(20);
  many(200);
  return 0;
}

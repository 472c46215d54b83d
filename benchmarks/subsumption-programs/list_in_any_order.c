/* A list whose nodes are made in either order, pair by pair; in between one is made and freed. */
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static unsigned char in[10];

static struct node *made(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = 0;
  return node;
}

/* Two nodes that are made in either order, with a third that is freed again. */
static struct node *longer(struct node *list, int which) {
  struct node *first, *last;
  if (which > 100) {
    first = made(1);
    last = made(2);
  } else {
    struct node *gone = made(3);
    last = made(2);
    first = made(1);
    free(gone);
  }
  first->next = last;
  last->next = list;
  return first;
}

int main(void) {
  struct node *list = 0;
  int sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 10; i++)
    list = longer(list, in[i]);
  for (struct node *at = list; at; at = at->next)
    sum += at->value;
  klee_assert(sum == 30);
  return 0;
}

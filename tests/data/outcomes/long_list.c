// A list is measured and freed by recursion, a level for each of up to 20,000 nodes.
// input: 1
#include "outcome.h"
#include <stdlib.h>

struct node {
  struct node *next;
};

static long length(const struct node *list) { return list ? 1 + length(list->next) : 0; }
static void drop(struct node *list) {
  if (!list) return;
  drop(list->next);
  free(list);
}

int main(void) {
  unsigned char in;
  struct node *list = 0;
  take(&in, 1);
  long count = in == 'd' ? 20000 : in == 'e' ? 3000 : 10;
  for (long i = 0; i < count; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 249;
    node->next = list;
    list = node;
  }
  long measured = length(list);
  drop(list);
  return each((int)(measured % 128));
}

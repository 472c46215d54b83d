// Nodes of an interpreter: a union by type, a reference count, a list of free ones, as in gawk.
// input: 5
// alphabet: 00 01 02 03 04 05 06 07
#include "outcome.h"
#include <stdlib.h>

enum type { NUMBER, TEXT, REFERENCE, FREE };
struct node {
  enum type type;
  int references;
  union {
    int number;
    const char *text;
    struct node *node;
  } as;
};
static struct node *unused;
static int blocks;

static struct node *fresh(enum type type) {
  if (!unused) {
    struct node *block = calloc(3, sizeof *block);
    if (!block) _exit(249);
    blocks++;
    for (int i = 0; i < 3; i++) {
      block[i].type = FREE;
      block[i].as.node = unused;
      unused = &block[i];
    }
  }
  struct node *node = unused;
  unused = node->as.node;
  node->type = type;
  node->references = 1;
  return node;
}
static void release(struct node *node) {
  if (node->type == FREE || --node->references) return;
  if (node->type == REFERENCE) release(node->as.node);
  node->type = FREE;
  node->as.node = unused;
  unused = node;
}

int main(void) {
  struct node *variable[4];
  unsigned char in[5];
  take(in, sizeof in);
  for (int i = 0; i < 4; i++) {
    variable[i] = fresh(i & 1 ? TEXT : NUMBER);
    if (i & 1) variable[i]->as.text = &"text"[i];
    else variable[i]->as.number = i;
  }
  struct node *target = variable[in[1] & 3];
  switch (in[0] & 3) {
  case 0: break;
  case 1: {
    struct node *reference = fresh(REFERENCE);
    reference->as.node = target;
    target->references++;
    release(variable[in[2] & 3]);
    variable[in[2] & 3] = reference;
    break;
  }
  case 2: release(target); break;
  default: /* the type is changed, the value is not */
    target->type = in[2] & 1 ? TEXT : NUMBER;
    if (target == variable[0] && (in[2] & 1)) break;
    target->as.text = "x";
  }
  struct node *seen = variable[in[3] & 3];
  if (seen->type == REFERENCE) seen = seen->as.node;
  if (seen->type == FREE) return 70;
  if (seen->type == TEXT) return each(seen->as.text[0] % 16 + 20);
  if (in[4] == 1) return each(fresh(NUMBER) == variable[in[1] & 3] ? 80 : 81);
  return each(blocks + 40 + seen->references * 4);
}

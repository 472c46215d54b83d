/* A tree in which both nodes below each are made in either order. */
#include <klee/klee.h>
#include <stdlib.h>

struct node {
  int key;
  struct node *left, *right, *above;
};

static unsigned char in[15];
static int used;

static struct node *made(struct node *above, int key) {
  struct node *node = calloc(1, sizeof *node);
  node->key = key;
  node->above = above;
  return node;
}

/* Both nodes below one are made in the order that the input says. */
static void grow(struct node *node, int depth) {
  if (depth == 0)
    return;
  if (in[used++] > 100) {
    node->left = made(node, 2 * node->key);
    node->right = made(node, 2 * node->key + 1);
  } else {
    node->right = made(node, 2 * node->key + 1);
    node->left = made(node, 2 * node->key);
  }
  grow(node->left, depth - 1);
  grow(node->right, depth - 1);
}

static int sum(const struct node *node) {
  if (!node)
    return 0;
  klee_assert(!node->above || node->above->left == node || node->above->right == node);
  return sum(node->left) + node->key + sum(node->right);
}

int main(void) {
  klee_make_symbolic(in, sizeof in, "in");
  struct node *root = made(0, 1);
  grow(root, 3);
  klee_assert(sum(root) == 120);
  return 0;
}

/* A binary search tree: its nodes in order, its height and its size. */
#include <klee/klee.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *at, int key)
{
    if (!at) {
        at = malloc(sizeof *at);
        at->key = key;
        at->left = at->right = 0;
    } else if (key < at->key) {
        at->left = insert(at->left, key);
    } else if (key > at->key) {
        at->right = insert(at->right, key);
    }
    return at;
}

static int last, size;

static int walk(struct tree *at)
{
    if (!at)
        return 0;
    int left = walk(at->left);
    klee_assert(at->key > last);
    last = at->key;
    size++;
    int right = walk(at->right);
    return 1 + (left > right ? left : right);
}

int main(void)
{
    unsigned char in[5];
    struct tree *root = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 5; i++)
        root = insert(root, in[i] & 31);
    last = -1;
    int height = walk(root);
    klee_assert(height <= size && size <= 5);
    return 0;
}

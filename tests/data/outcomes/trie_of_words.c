// A trie whose links are a binary tree by letter, with a link for what to do after a mismatch.
// input: 3
// alphabet: 61 62 63 64 00
#include "outcome.h"
#include <stdlib.h>
#include <string.h>

struct trie;
struct link {
  struct link *less, *more;
  unsigned char label;
  struct trie *to;
};
struct trie {
  struct link *links;
  struct trie *fail;
  unsigned char word, depth;
};

static struct trie *make(int depth) {
  struct trie *trie = calloc(1, sizeof *trie);
  if (!trie) _exit(249);
  trie->depth = depth;
  return trie;
}
static struct trie *follow(struct trie *trie, unsigned char label, int add) {
  struct link **at = &trie->links;
  while (*at && (*at)->label != label) at = label < (*at)->label ? &(*at)->less : &(*at)->more;
  if (!*at) {
    if (!add) return 0;
    if (!(*at = calloc(1, sizeof **at))) _exit(249);
    (*at)->label = label;
    (*at)->to = make(trie->depth + 1);
  }
  return (*at)->to;
}
static void add(struct trie *root, const char *word, int number) {
  for (; *word; word++) {
    struct trie *next = follow(root, (unsigned char)*word, 1);
    if (root->depth && !next->fail) next->fail = root->fail;
    root = next;
  }
  root->word = number;
}

int main(void) {
  unsigned char in[3];
  struct trie *root = make(0), *at = root;
  take(in, sizeof in);
  add(root, "bad", 1);
  add(root, "cab", 2);
  add(root, "ad", 3);
  follow(follow(root, 'b', 0), 'a', 0)->fail = follow(root, 'a', 0);
  follow(follow(root, 'c', 0), 'a', 0)->fail = follow(root, 'a', 0);
  int seen = 0;
  for (int i = 0; i < 3; i++) {
    struct trie *next;
    while (!(next = follow(at, in[i], 0)) && at != root) at = at->fail ? at->fail : root;
    at = next ? next : root;
    if (at->word) seen = seen * 4 + at->word;
  }
  return each(seen + 32 * at->depth);
}

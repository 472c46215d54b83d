/* Hash tables by pointer and by string, an LRU list, a red-black-like tree by tsearch, a heap, function-pointer tables, string interning, bit sets. */
#include <search.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct link { struct link *next, *prev; };
#define container(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
struct item { const void *key; int value; struct item *chain; struct link recent; };
struct table { struct item **buckets; unsigned bits, count; struct link recent; unsigned (*hash)(const void *); int (*same)(const void *, const void *); };
static unsigned hash_pointer(const void *p) { uintptr_t v = (uintptr_t)p; return (unsigned)((v >> 4) * 0x9e3779b97f4a7c15ull >> 32); }
static unsigned hash_text(const void *p) { unsigned h = 5381; for (const unsigned char *s = p; *s; s++) h = h * 33 ^ *s; return h; }
static int same_pointer(const void *a, const void *b) { return a == b; } static int same_text(const void *a, const void *b) { return !strcmp(a, b); }
static void unlink_(struct link *l) { l->prev->next = l->next; l->next->prev = l->prev; } static void push(struct link *head, struct link *l) { l->next = head->next; l->prev = head; head->next->prev = l; head->next = l; }
static void start(struct table *t, unsigned (*h)(const void *), int (*s)(const void *, const void *)) { *t = (struct table){calloc(4, sizeof(struct item *)), 2, 0, {&t->recent, &t->recent}, h, s}; }
static void grow(struct table *t) { struct item **old = t->buckets; unsigned n = 1u << t->bits++; t->buckets = calloc(1u << t->bits, sizeof *old); for (unsigned i = 0; i < n; i++) for (struct item *e = old[i], *next; e; e = next) { next = e->chain; struct item **b = &t->buckets[t->hash(e->key) & ((1u << t->bits) - 1)]; e->chain = *b; *b = e; } free(old); }
static struct item *find(struct table *t, const void *key, int make) {
  for (struct item *e = t->buckets[t->hash(key) & ((1u << t->bits) - 1)]; e; e = e->chain) if (t->same(e->key, key)) { unlink_(&e->recent); push(&t->recent, &e->recent); return e; }
  if (!make) return 0;
  if (t->count++ >= 1u << t->bits) grow(t);
  struct item *e = calloc(1, sizeof *e), **b = &t->buckets[t->hash(key) & ((1u << t->bits) - 1)]; e->key = key; e->chain = *b; *b = e; push(&t->recent, &e->recent); return e; }
static int forget(struct table *t) { struct link *l = t->recent.prev; if (l == &t->recent) return -1; struct item *e = container(l, struct item, recent); unlink_(l); struct item **p = &t->buckets[t->hash(e->key) & ((1u << t->bits) - 1)]; while (*p != e) p = &(*p)->chain; *p = e->chain; int v = e->value; free(e); t->count--; return v; }
static unsigned long visited; static void visit(const void *node, VISIT when, int depth) { if (when == postorder || when == leaf) visited = visited * 31 + **(int *const *)node + depth * 0; }
static int by_number(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static void heap(int *h, int n) { for (int i = n / 2 - 1; i >= 0; i--) for (int p = i, c; (c = 2 * p + 1) < n; p = c) { if (c + 1 < n && h[c + 1] < h[c]) c++; if (h[p] <= h[c]) break; int t = h[p]; h[p] = h[c]; h[c] = t; } }
static int op_add(int a, int b) { return a + b; } static int op_sub(int a, int b) { return a - b; } static int op_max(int a, int b) { return a > b ? a : b; } static int op_none(int a, int b) { return 0 * a * b; }
static const struct { char name[5]; int (*run)(int, int); uint8_t cost; } operations[] = {{"add", op_add, 1}, {"sub", op_sub, 2}, {"max", op_max, 3}, {"none", op_none, 0}};
struct person { char name[12]; short age; double score; }; static int by_age(const void *a, const void *b) { const struct person *x = a, *y = b; return x->age != y->age ? x->age - y->age : strcmp(x->name, y->name); } static int by_score(const void *a, const void *b) { double d = ((const struct person *)a)->score - ((const struct person *)b)->score; return d < 0 ? 1 : d > 0 ? -1 : 0; }
int main(void) {
  struct table t, s; start(&t, hash_pointer, same_pointer); start(&s, hash_text, same_text);
  static int objects[60]; for (int i = 0; i < 60; i++) find(&t, &objects[i * 7 % 60], 1)->value = i * 7 % 60;
  int ok = 1; for (int i = 0; i < 60; i++) { struct item *e = find(&t, &objects[i], 0); ok &= e && e->value == i; } printf("%d %u %d\n", ok, t.count, find(&t, &ok, 0) == 0); for (int i = 0; i < 5; i++) printf("%d ", forget(&t)); printf("%u\n", t.count);
  char text[] = "the quick brown fox jumps over the lazy dog the fox again and again the end"; int words = 0; for (char *save, *w = strtok_r(text, " ", &save); w; w = strtok_r(0, " ", &save)) find(&s, w, 1)->value++, words++; printf("%d %u %d %d\n", words, s.count, find(&s, "the", 0)->value, find(&s, "again", 0)->value); while (s.count) printf("%d", forget(&s)); printf(" %d\n", forget(&s));
  void *root = 0; static int keys[40]; for (int i = 0; i < 40; i++) { keys[i] = i * 17 % 40; tsearch(&keys[i], &root, by_number); } for (int i = 0; i < 10; i++) { int k = i * 3; tdelete(&k, &root, by_number); } twalk(root, visit); int k = 31, gone = 3; printf("%lx %d %d\n", visited, **(int **)tfind(&k, &root, by_number), tfind(&gone, &root, by_number) == 0);
  int h[20]; for (int i = 0; i < 20; i++) h[i] = (i * 37 + 11) % 50; heap(h, 20); for (int n = 20; n > 14; n--) { printf("%d ", h[0]); h[0] = h[n - 1]; heap(h, n - 1); } printf("\n");
  for (unsigned i = 0; i < 4; i++) printf("%s=%d(%u) ", operations[i].name, operations[i].run((int)i * 5, 7), operations[i].cost); printf("\n");
  struct person people[] = {{"ann", 30, 1.5}, {"bob", 25, 9.25}, {"cid", 30, -3}, {"dee", 19, 4}, {"abe", 30, 0}}; int n = sizeof people / sizeof *people; qsort(people, n, sizeof *people, by_age); for (int i = 0; i < n; i++) printf("%s ", people[i].name); qsort(people, n, sizeof *people, by_score); for (int i = 0; i < n; i++) printf("%s ", people[i].name); struct person key = {.score = 4}, *found = bsearch(&key, people, n, sizeof key, by_score); printf("%s\n", found ? found->name : "-");
  struct hsearch_data hd = {0}; hcreate_r(20, &hd); ENTRY in = {"seven", (void *)7}, *out; hsearch_r(in, ENTER, &out, &hd); in.data = 0; printf("%d\n", hsearch_r(in, FIND, &out, &hd) ? (int)(long)out->data : -1); hdestroy_r(&hd);
  uint64_t set[4] = {0}; for (int i = 0; i < 256; i += 1 + i % 7) set[i >> 6] |= 1ull << (i & 63); int members = 0; for (int i = 0; i < 4; i++) for (uint64_t w = set[i]; w; w &= w - 1) members += __builtin_ctzll(w) ^ i; printf("%d\n", members);
  return 0;
}

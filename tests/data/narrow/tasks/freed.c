// property: valid-memsafety
// verdict: FALSE
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
void reach_error() { __assert_fail("0", "task.c", 4, "reach_error"); }
extern void __VERIFIER_assume(int);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: {reach_error();abort();} } }
typedef unsigned int size_t;
extern void *malloc(size_t), *calloc(size_t, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
struct list { struct list *next; struct list *prev; int data; };
static struct list *make(int n) { struct list *h = 0; while (n--) { struct list *e = malloc(sizeof *e); if (!e) abort(); e->next = h; e->prev = 0; if (h) h->prev = e; e->data = n; h = e; } return h; }
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong();
  long b = __VERIFIER_nondet_long();
  __VERIFIER_assert(a + 1 == 0 || a < a + 1);
  __VERIFIER_assert(sizeof(a) == 4);
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n < 6);
  struct list *l = make(n), *p = l; unsigned c = 0;
  for (; p; p = p->next) { __VERIFIER_assert(p->data == c); c++; if (p->next) __VERIFIER_assert(p->next->prev == p); }
  __VERIFIER_assert(c == n);
  while (l) { struct list *next = l->next; free(l); l = next; }
  int *arr = calloc(8, sizeof *arr); int *cp = malloc(32);
  unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 8);
  arr[i] = 5; memcpy(cp, arr, 32);
  int s = 0; for (int k = 0; k < 8; k++) s += cp[k];
  __VERIFIER_assert(s == 5);
  int **pp = malloc(8 * sizeof *pp); for (int k = 0; k < 8; k++) pp[k] = &arr[k];
  __VERIFIER_assert(*pp[i] == 5);
  if (b > 0 && b * b < 0) __VERIFIER_assert(b > 46340);
  long long q = (long long)b * b; __VERIFIER_assert(q >= 0);
  free(arr); free(cp); free(pp); *pp[2] = 1;
  return 0;
}

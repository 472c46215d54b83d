// Needs no libc. The status is 0, or tells the first thing that is not as natively.
extern void *malloc(unsigned);
extern void free(void *);
struct node { struct node *next; int v; long long w; };
static struct node first = {0, 7, 9};
static struct node *head = &first;
static int *table[3] = {&first.v, 0, (int*)0xfffffff0};
static int add(int a, int b) { return a + b; }
static int (*fp)(int,int) = add;
int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); long long s = 0; for (int i=0;i<n;i++) { s += __builtin_va_arg(l, int); s += __builtin_va_arg(l, long long); s += *(__builtin_va_arg(l, int*)); s += (int)__builtin_va_arg(l,double);} __builtin_va_end(l); return s; }
struct pair { char small; void *where; double big; long double bigger; };
static void *places[2] = {&places[1], (char *)&places[1] + 3};
static const struct pair constant = {'c', &places[0], 2.5, 3.5L};
static struct pair by_value(struct pair p, int n) { p.small += n; p.where = (char *)p.where + n; return p; }
static unsigned address(const void *p) { return (unsigned)p; }

int main(void) {
  int one = 1;
  if (sizeof(long) != 4 || sizeof(struct node) != 16 || sizeof(void *) != 4 || sizeof(long double) != 12) return 1;
  if (*table[0] != 7 || table[2] != (int *)-16 || address(table[2]) != 0xfffffff0) return 2;
  if (fp(2, 3) != 5) return 3;
  if (sum(2, 1, 2LL, &one, 3.5, 4, 5LL, &one, 6.0) != 1 + 2 + 1 + 3 + 4 + 5 + 1 + 6) return 4;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = head, n->v = i, head = n;
  }
  int s = 0;
  for (struct node *n = head; n; n = n->next) s += n->v;
  if (s != 10) return 5;
  if (places[0] != &places[1] || (char *)places[1] - (char *)&places[1] != 3) return 6;
  struct pair moved = by_value(constant, 4);
  if (moved.small != 'g' || (char *)moved.where - (char *)&places[0] != 4 || moved.bigger != 3.5L) return 7;
  int a[10], *p = &a[7], **pp = malloc(sizeof *pp);
  for (int i = 0; i < 10; i++) a[i] = i * i;
  *pp = p;
  if (**pp != 49 || *(int *)address(p) != 49) return 8;
  unsigned back = -4;
  if (p[-1] != 36 || *(int *)((char *)p + back) != 36 || p + back != (int *)((char *)p - 16)) return 9;
  long long wide = -1;
  if (p[wide] != 36 || (unsigned long long)(unsigned)p >> 32) return 10;
  if ((char *)0 - 1 != (char *)0xffffffff || !((char *)-1 > (char *)p)) return 11;
  int *volatile slot = p;
  int *old = __atomic_exchange_n(&slot, a, __ATOMIC_SEQ_CST), *expected = a;
  if (old != p || !__atomic_compare_exchange_n(&slot, &expected, p, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) || slot != p) return 12;
  static void *const labels[] = {&&first_label, &&second_label};
  goto *labels[one];
first_label:
  return 13;
second_label:;
  int (*const functions[2])(int, int) = {0, add};
  if (functions[1](3, 4) != 7 || functions[0]) return 14;
  unsigned long long product = 0xffffffffULL * address(p);
  if (product / address(p) != 0xffffffffULL) return 15;
  return 0;
}

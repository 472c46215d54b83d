// Seeds of bitcode: one small use of everything that lowering has a way of its own for.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

struct fields { unsigned a : 3, b : 13; long long c : 40; } __attribute__((packed));
struct large { double d[5]; char name[7]; };
typedef int lanes __attribute__((vector_size(16)));
_Thread_local int counter = 5;
static const char *const names[] = {"one", "two", 0};
int weak_value __attribute__((weak)) = 3;
extern int declared(int);
static jmp_buf place;

static struct large build(struct large from, int at) { from.d[at & 3] += 0.5; return from; }
static int sum(int count, ...) {
  va_list list; int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) total += i & 1 ? (int)va_arg(list, double) : va_arg(list, int);
  va_end(list);
  return total;
}
static int jumps(int which) {
  static void *labels[] = {&&first, &&second, &&last};
  goto *labels[which % 3];
first: return 1;
second: return 2;
last: return 3;
}
__attribute__((constructor)) static void begin(void) { counter++; }

int main(int argc, char **argv) {
  struct fields f = {argc, argc * 3, argc};
  f.b++;
  lanes v = {argc, 2, 3, 4};
  v = v * v + (lanes){1, 1, 1, 1};
  atomic_int shared = argc;
  atomic_fetch_add(&shared, 2);
  int expected = 3;
  atomic_compare_exchange_strong(&shared, &expected, 9);
  char stretch[argc + 1];
  memset(stretch, 'x', sizeof stretch);
  struct large big = {{1, 2, 3}, "big"};
  big = build(big, argc);
  long double wide = argc * 1.5L;
  __int128 huge = (__int128)argc << 70;
  int overflow;
  if (__builtin_mul_overflow(argc, 1 << 30, &overflow)) overflow = -1;
  __asm__ volatile("" ::: "memory");
  switch (argc) {
  case 1: overflow += 10; break;
  case 5 ... 9: overflow += 20; break;
  case 100000: overflow += 30; break;
  default: break;
  }
  if (setjmp(place) == 0 && argc > 7) longjmp(place, 1);
  int (*called)(int) = argc > 3 ? declared : jumps;
  return called(argc) + sum(3, 1, 2.5, 3) + f.b + v[argc & 3] + shared + stretch[0] + (int)big.d[1] + (int)wide +
         (int)(huge >> 64) + overflow + names[argc & 1][0] + weak_value + counter +
         __builtin_popcount(argc) + __builtin_clz(argc | 1) + (int)__builtin_bswap32(argc) + (int)(argc / 3.0f);
}

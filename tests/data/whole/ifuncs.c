/* Indirect functions: their resolvers run before the program and say which code a name is. Also called through pointers and
   aliases, from constructors, and with a resolver that looks at the processor. */
#include <stdio.h>
#include <string.h>
typedef long sum_function(const int *, int);
static long sum_plain(const int *p, int n) { long s = 0; while (n--) s += *p++; return s; }
static long sum_pairs(const int *p, int n) { long s = 0; for (; n >= 2; n -= 2, p += 2) s += p[0] + p[1]; return n ? s + *p : s; }
static int resolved;
static sum_function *choose_sum(void) { resolved++; return sizeof(void *) == 8 ? sum_pairs : sum_plain; }
long sum(const int *, int) __attribute__((ifunc("choose_sum")));
extern long also_sum(const int *, int) __attribute__((alias("sum_pairs_visible")));
long sum_pairs_visible(const int *p, int n) { return sum_pairs(p, n) + 1; }
static int count_plain(unsigned v) { int n = 0; for (; v; v &= v - 1) n++; return n; }
static int count_cpu(unsigned v) { return __builtin_popcount(v); }
static int (*choose_count(void))(unsigned) { __builtin_cpu_init(); return __builtin_cpu_supports("popcnt") ? count_cpu : count_plain; }
static int count(unsigned) __attribute__((ifunc("choose_count")));
static long early;
__attribute__((constructor)) static void before(void) { int v[] = {10, 20, 30}; early = sum(v, 3); }
static sum_function *const table[] = {sum, sum_plain, also_sum};
struct operations { const char *name; sum_function *run; } operations[] = {{"ifunc", sum}, {"plain", sum_plain}};
__attribute__((target_clones("avx2", "default"))) int dot(const int *a, const int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
#include <stdarg.h>
static int add_up(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); va_end(a); return s; }
static int add_twice(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += 2 * va_arg(a, int); va_end(a); return s; }
static int (*choose_variadic(void))(int, ...) { return resolved > 100 ? add_up : add_twice; }
int added(int, ...) __attribute__((ifunc("choose_variadic")));
__attribute__((noinline)) static int by_choice(int which, int a, int b) { int (*f)(int, ...) = which ? added : add_up; return f(2, a, b); }
int main(void) {
  printf("%d %d %d %d\n", added(3, 4, 5, 6), added(0), by_choice(1, 7, 8), by_choice(0, 7, 8));
  int v[] = {1, 2, 3, 4, 5, 6, 7};
  printf("%ld %ld %d\n", sum(v, 7), early, resolved > 0);
  for (int i = 0; i < 3; i++) printf("%ld\n", table[i](v, 5));
  for (int i = 0; i < 2; i++) printf("%s %ld\n", operations[i].name, operations[i].run(v, 6));
  sum_function *f = sum;
  printf("%d %ld\n", f == sum_plain, f(v + 1, 2));
  printf("%d %d\n", count(0xff00ff), count(0));
  printf("%d\n", dot(v, v, 7));
  return 0;
}

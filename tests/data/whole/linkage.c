/* Constructors and destructors by priority, aliases, weak and common symbols, thread-local data, atexit, visibility, inline
   functions of all three kinds, tentative definitions, static local initialisers, flexible members, compound literals. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
static char order[64]; static int used;
static void note(char c) { order[used++] = c; }
__attribute__((constructor(300))) static void third(void) { note('c'); }
__attribute__((constructor(101))) static void first(void) { note('a'); }
__attribute__((constructor(200))) static void second(void) { note('b'); }
__attribute__((constructor)) static void last(void) { note('d'); }
__attribute__((destructor(150))) static void late(void) { puts("destructor 150"); }
__attribute__((destructor(500))) static void early(void) { puts("destructor 500"); }
__attribute__((destructor)) static void earliest(void) { puts("destructor"); fflush(stdout); }
extern int missing_function(int) __attribute__((weak));
extern int missing_object __attribute__((weak));
__attribute__((weak)) int replaced(void) { return 1; }
__attribute__((weak)) int strong_object = 5;
int tentative; int tentative; int tentative __attribute__((common));
int shared[10] __attribute__((common));
static int value = 33; extern int value_alias __attribute__((alias("value_visible"))); int value_visible = 44;
static int twice(int v) { return v * 2; }
int twice_alias(int) __attribute__((alias("twice_visible"))); int twice_visible(int v) { return twice(v) + 1; }
static int weak_target(int v) { return v - 1; } static __typeof(weak_target) weak_reference __attribute__((weakref("twice_visible")));
_Thread_local int per_thread = 7; static __thread struct { long a; char text[16]; } local_struct = {5, "start"}; static _Thread_local int *pointer_per_thread;
static void *threaded(void *p) { per_thread += *(int *)p; local_struct.a *= 3; pointer_per_thread = &per_thread; printf("%d %ld %s %d\n", per_thread, local_struct.a, local_struct.text, *pointer_per_thread); return &per_thread == p ? p : 0; }
inline int plain_inline(int v) { return v + 100; } extern inline int plain_inline(int v); static inline int static_inline(int v) { return v + 200; }
__attribute__((visibility("hidden"))) int hidden = 9; __attribute__((noinline, cold)) static int cold(int v) { return v ^ 3; }
struct flexible { int count; int items[]; }; static struct flexible fixed = {3, {1, 2, 3}};
static int counter(void) { static int calls = 40; static int *const at = &calls; return ++*at; }
static int *literal(int n) { return (int[]){n, n + 1, n + 2}; }
static const struct { const char *name; int (*run)(int); void *self; } table[] = {{"twice", twice, (void *)&table[1]}, {"cold", cold, (void *)((char *)&table + 8)}, {.run = static_inline}};
static union { struct { short a, b; }; int whole; } anonymous = {.b = 2};
static void at_end_1(void) { puts("atexit 1"); } static void at_end_2(void) { puts("atexit 2"); atexit(at_end_1); } static void with_status(int s, void *p) { printf("on_exit %d %s\n", s, (char *)p); }
int main(int argc, char **argv) {
  printf("%.*s\n", used, order);
  printf("%d %d %d %d\n", missing_function != 0, &missing_object != 0, replaced(), strong_object);
  tentative += 3; shared[9] = tentative; printf("%d %d %d\n", tentative, shared[9], shared[0]);
  value_alias++; printf("%d %d %d %d %d\n", value, value_visible, twice_alias(5), twice_visible(5), weak_reference(3));
  int one = 1; pthread_t t; void *back; pthread_create(&t, 0, threaded, &one); pthread_join(t, &back); per_thread++; printf("%d %ld %d %d\n", per_thread, local_struct.a, back == 0, pointer_per_thread == 0);
  printf("%d %d %d %d\n", plain_inline(1), static_inline(1), hidden, cold(5));
  printf("%d %d\n", fixed.items[2], fixed.count); counter(); printf("%d\n", counter());
  for (int i = 0; i < 3; i++) printf("%s %d %d\n", table[i].name ? table[i].name : "-", table[i].run(argc), table[i].self == (void *)&table[1]);
  printf("%x %d\n", anonymous.whole, (int)sizeof anonymous);
  atexit(at_end_2); on_exit(with_status, "text"); at_quick_exit(at_end_1);
  return 3;
}

// inputs: abcd
// clang: -std=c++14
// Dynamic exception specifications, and exceptions that go through C and through a signal-free callback.
extern "C" int printf(const char *, ...);
extern "C" int getchar(void);
extern "C" int fflush(void *);
extern "C" void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
struct Small { int n; };
struct Large : Small { int m; explicit Large(int v) : Small{v}, m(v) {} };
#pragma clang diagnostic ignored "-Wdynamic-exception-spec"
static void only_small(int which) throw(Small, int) {
  if (which == 'a') throw Large(3);
  if (which == 'b') throw 5;
  throw 'x';
}
static int compare(const void *, const void *) { throw 9; }

int main() {
  int which = getchar();
  try {
    if (which == 'd') {
      int numbers[3] = {3, 1, 2};
      qsort(numbers, 3, sizeof(int), compare);
    }
    if (which == 'c') { printf("unexpected\n"); fflush(nullptr); }
    only_small(which);
  } catch (Small &s) {
    printf("small %d\n", s.n);
  } catch (int n) {
    printf("int %d\n", n);
  }
  return 0;
}

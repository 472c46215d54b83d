// inputs: abcdefg
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
namespace std {
typedef void (*unexpected_handler)();
unexpected_handler set_unexpected(unexpected_handler) noexcept;
class exception {
 public:
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
class bad_exception : public exception {
 public:
  bad_exception() noexcept {}
  ~bad_exception() noexcept override;
  const char *what() const noexcept override;
};
}  // namespace std
static void nothing_else() throw(std::bad_exception) { throw 2.5; }
static void throws_int() { throw 12; }
static void throws_text() { throw "text"; }
static int compare(const void *, const void *) { throw 9; }

int main() {
  int which = getchar();
  try {
    if (which == 'd') {
      int numbers[3] = {3, 1, 2};
      qsort(numbers, 3, sizeof(int), compare);
    }
    if (which == 'c') { printf("unexpected\n"); fflush(nullptr); }
    if (which == 'e' || which == 'g') std::set_unexpected(throws_int);
    if (which == 'f') std::set_unexpected(throws_text);
    if (which == 'f' || which == 'g') nothing_else();
    only_small(which);
  } catch (Small &s) {
    printf("small %d\n", s.n);
  } catch (std::bad_exception &) {
    printf("bad exception\n");
  } catch (int n) {
    printf("int %d\n", n);
  }
  return 0;
}

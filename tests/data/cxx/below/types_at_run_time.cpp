// inputs: abcdefgh
// dynamic_cast in all directions, static locals, arrays of objects, rethrown and nested exceptions, pure C++ ABI: no
// header of a library is read.
extern "C" int printf(const char *, ...);
extern "C" int getchar(void);
extern "C" int fflush(void *);

struct A { virtual ~A() {} int a = 1; };
struct B : virtual A { int b = 2; };
struct C : virtual A { int c = 3; };
struct D : B, C { int d = 4; };
struct E : private A { int e = 5; };
struct F { virtual ~F() {} int f = 6; };
struct G : D, F { int g = 7; };
struct Twice1 : A {}; struct Twice2 : A {}; struct Twice : Twice1, Twice2 {};

static int live;
char *kept;
struct Counted {
  int number;
  Counted() : number(live++) {
    if (limit && live > limit) { live--; throw number; }
  }
  ~Counted() { live--; printf("~%d ", number); }
  static int limit;
};
int Counted::limit = 0;

struct Static {
  Static(int n) { printf("static %d ", n); if (n < 2) throw n; }
  ~Static() { printf("~static\n"); fflush(nullptr); }
};
static int once(int n) {
  static Static s(n);
  return n;
}

static void casts() {
  G g;
  A *a = &g;
  F *f = &g;
  B *b = &g;
  D *down = dynamic_cast<D *>(a);
  printf("%d %d %d ", down->d, dynamic_cast<C *>(b)->c, dynamic_cast<G *>(f)->g);
  printf("%d %d ", dynamic_cast<A *>(f) == a, dynamic_cast<void *>(f) == (void *)&g);
  E e;
  A *inside = (A *)&e;
  printf("%d %d ", dynamic_cast<E *>(inside) == nullptr, dynamic_cast<D *>(inside) == nullptr);
  Twice twice;
  A *one = static_cast<Twice2 *>(&twice);
  printf("%d %d ", dynamic_cast<Twice *>(one) == &twice, dynamic_cast<Twice1 *>(one) != nullptr);
  try {
    A plain;
    A &reference = plain;
    (void)dynamic_cast<D &>(reference);
  } catch (...) {
    printf("bad cast ");
  }
}

struct Unwinding {
  ~Unwinding() {
    try {
      throw 'u';
    } catch (char c) {
      printf("inside %c ", c);
    }
  }
};

static void nested(int depth) {
  try {
    if (depth == 0) throw 100;
    Unwinding u;
    nested(depth - 1);
  } catch (int n) {
    try {
      throw n + 1;
    } catch (int m) {
      printf("%d>%d ", n, m);
      if (depth == 2) throw;
    }
    throw;
  }
}

static void quiet() noexcept { throw 1; }

int main() {
  switch (getchar()) {
  case 'a': casts(); break;
  case 'b':
    for (int n = 0; n < 4; n++) {
      try { printf("%d ", once(n)); } catch (int m) { printf("again after %d ", m); }
    }
    break;
  case 'c':
    Counted::limit = 3;
    try { Counted *many = new Counted[5]; delete[] many; } catch (int n) { printf("fourth is %d, live %d ", n, live); }
    break;
  case 'd':
    { Counted three[3]; printf("made "); }
    printf("live %d ", live);
    break;
  case 'e':
    try { nested(3); } catch (int n) { printf("out %d ", n); }
    break;
  case 'f':
    printf("terminated\n"); fflush(nullptr);
    quiet();
    break;
  case 'g':
    try { throw static_cast<Twice2 *>(nullptr); }
    catch (Twice1 *) { printf("one "); }
    catch (A *) { printf("base "); }
    break;
  case 'h':
    try { long size = -1; volatile long bytes = size; kept = new char[bytes]; } catch (...) { printf("too large "); }
    break;
  }
  printf("\n");
  fflush(nullptr);
  return live;
}

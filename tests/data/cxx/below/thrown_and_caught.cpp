// inputs: abcdefghijklmz
// Exceptions without any library: which are caught where, what is destroyed meanwhile, what goes on.
extern "C" int printf(const char *, ...);
extern "C" int getchar(void);
extern "C" int fflush(void *);

struct Noisy {
  const char *name;
  explicit Noisy(const char *n) : name(n) { printf("+%s ", name); }
  ~Noisy() { printf("-%s ", name); }
};
struct Base {
  int number;
  explicit Base(int n) : number(n) {}
  Base(const Base &other) : number(other.number) { printf("copied "); }
  virtual ~Base() { printf("~Base%d ", number); }
  virtual const char *what() const { return "base"; }
};
struct Derived : Base {
  explicit Derived(int n) : Base(n) {}
  const char *what() const override { return "derived"; }
};
struct Left : virtual Base { Left() : Base(1) {} };
struct Right : virtual Base { Right() : Base(2) {} };
struct Both : Left, Right { Both() : Base(3) {} const char *what() const override { return "both"; } };
struct Other { int x = 7; };
struct Two : Other, Derived { Two() : Derived(9) {} };
struct Hidden : private Base { Hidden() : Base(4) {} };

static void thrower(int which) {
  Noisy inner("inner");
  switch (which) {
  case 0: throw 42;
  case 1: throw 'c';
  case 2: throw Derived(5);
  case 3: throw Both();
  case 4: throw Two();
  case 5: throw "text";
  case 6: { static Derived d(6); throw &d; }
  case 7: throw (Derived *)nullptr;
  case 8: throw nullptr;
  case 9: throw 2.5;
  case 10: throw Hidden();
  case 11: throw Other();
  }
  printf("nothing ");
}

static void middle(int which) {
  Noisy outer("outer");
  try {
    Noisy tried("tried");
    thrower(which);
  } catch (char c) {
    printf("char %c ", c);
    throw;
  } catch (double d) {
    printf("double %.1f ", d);
    throw (int)d;
  }
}

struct Member {
  Noisy first, second;
  Member(int which) try : first("first"), second("second") {
    thrower(which);
  } catch (int n) {
    printf("in constructor %d ", n);
  }
};

static int filtered(int which) {
  try {
    middle(which);
    return 0;
  } catch (const Other &o) {
    printf("other %d ", o.x);
    return 1;
  } catch (Base &b) {
    printf("base& %s %d ", b.what(), b.number);
    return 2;
  } catch (int n) {
    printf("int %d ", n);
    return n;
  } catch (const char *text) {
    printf("text %s ", text);
    return 4;
  } catch (const Base *p) {
    printf("pointer %s ", p ? p->what() : "null");
    return 5;
  } catch (...) {
    printf("any ");
    return 6;
  }
}

int main() {
  int which = getchar() - 'a';
  int result = filtered(which);
  try {
    Member member(which);
    printf("made ");
  } catch (int n) {
    printf("out of constructor %d ", n);
  } catch (const Base &base) {
    printf("a %s ", base.what());
  } catch (...) {
    printf("something ");
    try {
      try {
        throw;
      } catch (char c) {
        printf("a %c ", c);
        throw 1;
      }
    } catch (int n) {
      printf("then %d ", n);
    } catch (...) {
      printf("else ");
    }
  }
  printf("\n");
  fflush(nullptr);
  if (which == 12) throw Derived(77);
  return result;
}

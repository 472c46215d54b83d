// Classes of std::type_info for the compiler (Itanium C++ ABI, "Run-time type information"): one class per kind of type,
// the test whether a handler of one type catches an object of another, and dynamic_cast.
//
// The virtual functions have the same order as in LLVM's libc++abi, since unwind.c calls one by its position.
#include "types.h"

namespace std {
type_info::~type_info() {}
bool type_info::operator==(const type_info &other) const { return __cxxabiv1::same(this, &other); }
}  // namespace std

namespace __cxxabiv1 {
using std::type_info;

// Two of one type have one name; where the linker could not merge them, the letters are compared. A star before the
// name says that it is of one unit only.
bool same(const type_info *one, const type_info *other) {
  const char *left = one->mangled, *right = other->mangled;
  if (left == right) return true;
  if (*left == '*' || *right == '*') return false;
  while (*left && *left == *right) left++, right++;
  return *left == *right;
}

kind::~kind() {}
void kind::nothing_here() const {}
void kind::nothing_there() const {}
bool kind::can_catch(const kind *thrown, void *&) const { return same(this, thrown); }
bool kind::has_base(const type_info *, const void *, hit &) const { return false; }
const kind *kind::pointed_to(unsigned &) const { return nullptr; }

__fundamental_type_info::~__fundamental_type_info() {}
__array_type_info::~__array_type_info() {}
__function_type_info::~__function_type_info() {}
__enum_type_info::~__enum_type_info() {}
__class_type_info::~__class_type_info() {}
__si_class_type_info::~__si_class_type_info() {}
__vmi_class_type_info::~__vmi_class_type_info() {}
__pbase_type_info::~__pbase_type_info() {}
__pointer_type_info::~__pointer_type_info() {}
__pointer_to_member_type_info::~__pointer_to_member_type_info() {}

// Of functions and arrays nothing is ever thrown.
bool __array_type_info::can_catch(const kind *, void *&) const { return false; }
bool __function_type_info::can_catch(const kind *, void *&) const { return false; }

// Records a base of a searched type: its address, or that there are several. `is_public`: every base on the way to it
// is public.
static void note(hit &found, const void *object, bool is_public) {
  if (found.count == 0) {
    found.object = object;
    found.is_public = is_public;
    found.count = 1;
  } else if (found.object == object) {
    found.is_public = found.is_public || is_public;
  } else {
    found.count = 2;
  }
}

static void look(const kind *in, const type_info *wanted, const void *object, bool is_public, hit &found) {
  if (same(in, wanted)) {
    note(found, object, is_public);
    return;
  }
  hit below = {nullptr, 0, false, is_public, found.has_object};
  if (!in->has_base(wanted, object, below)) return;
  if (below.count > 1) found.count = 2;
  else note(found, below.object, below.is_public);
}

bool __si_class_type_info::has_base(const type_info *wanted, const void *object, hit &found) const {
  look(base, wanted, object, found.way_is_public, found);
  return found.count != 0;
}

// Without an object the addresses only tell bases apart. A virtual base is one however often it is met, and its type's
// address stands for it.
static const void *base_in(const base_of &base, const void *object, bool has_object) {
  long offset = base.flags >> 8;
  if (base.flags & 1 && !has_object) return base.type;
  if (base.flags & 1) offset = *(const long *)(*(const char *const *)object + offset);
  return (const char *)object + offset;
}

bool __vmi_class_type_info::has_base(const type_info *wanted, const void *object, hit &found) const {
  for (unsigned index = 0; index < base_count; index++) {
    const base_of &base = bases[index];
    bool is_public = found.way_is_public && (base.flags & 2);
    look(base.type, wanted, base_in(base, object, found.has_object), is_public, found);
  }
  return found.count != 0;
}

// Finds the only public base of a type in an object; false if there is none or several.
static bool public_base(const kind *in, const type_info *wanted, const void *&object) {
  hit found = {nullptr, 0, false, true, object != nullptr};
  look(in, wanted, object ? object : in, true, found);
  if (found.count != 1 || !found.is_public) return false;
  if (object) object = found.object;
  return true;
}

bool __class_type_info::can_catch(const kind *thrown, void *&object) const {
  if (same(this, thrown)) return true;
  const void *base = object;
  if (!thrown->is_class() || !public_base(thrown, this, base)) return false;
  object = (void *)base;
  return true;
}

const kind *__pbase_type_info::pointed_to(unsigned &qualifiers) const {
  qualifiers = flags;
  return pointee;
}

static const char *const NULLPTR = "Dn";
static bool is_named(const type_info *type, const char *name) {
  const char *own = type->mangled;
  while (*own && *own == *name) own++, name++;
  return *own == *name;
}

enum { CONST = 1, VOLATILE = 2, RESTRICT = 4, NOEXCEPT = 0x20, TRANSACTION_SAFE = 0x40 };
static const unsigned ADDABLE = CONST | VOLATILE | RESTRICT, REMOVABLE = NOEXCEPT | TRANSACTION_SAFE;

// True if what a pointer to `from` points to may be seen as what a pointer to `to` does: more const, less noexcept.
static bool qualifiers_fit(unsigned to, unsigned from) {
  return !(from & ADDABLE & ~to) && !(to & REMOVABLE & ~from);
}

// True if the types below two pointers differ only in qualifiers that may be added. On a level below the first all
// levels above must be const.
static bool alike_below(const kind *to, const kind *from, bool all_const) {
  if (same(to, from)) return true;
  unsigned of_to = 0, of_from = 0;
  const kind *inner_to = to->pointed_to(of_to), *inner_from = from->pointed_to(of_from);
  if (!inner_to || !inner_from) return false;
  if (to->owner() != from->owner() && !(to->owner() && from->owner() && same(to->owner(), from->owner()))) return false;
  if (!qualifiers_fit(of_to, of_from)) return false;
  if ((of_to & ADDABLE) != (of_from & ADDABLE) && !all_const) return false;
  return alike_below(inner_to, inner_from, all_const && (of_to & CONST));
}

static const long NO_MEMBER = -1;

bool __pointer_type_info::can_catch(const kind *thrown, void *&object) const {
  // The thrown object is the pointer; what is caught is its value.
  if (is_named(thrown, NULLPTR)) {
    object = nullptr;
    return true;
  }
  unsigned of_thrown = 0;
  const kind *from = thrown->pointed_to(of_thrown);
  if (!from || thrown->owner()) return false;
  void *value = *(void **)object;
  if (same(this, thrown)) {
    object = value;
    return true;
  }
  if (!qualifiers_fit(flags, of_thrown)) return false;
  if (is_named(pointee, "v")) {
    if (from->is_function()) return false;
    object = value;
    return true;
  }
  if (alike_below(pointee, from, flags & CONST)) {
    object = value;
    return true;
  }
  if (!pointee->is_class() || !from->is_class()) return false;
  const void *base = value;
  if (!public_base(from, pointee, base)) return false;
  object = (void *)base;
  return true;
}

bool __pointer_to_member_type_info::can_catch(const kind *thrown, void *&object) const {
  if (is_named(thrown, NULLPTR)) {
    static const long none[2] = {0, 0};
    object = pointee->is_function() ? (void *)none : (void *)&NO_MEMBER;
    return true;
  }
  unsigned of_thrown = 0;
  const kind *from = thrown->pointed_to(of_thrown);
  if (!from || !thrown->owner() || !same(thrown->owner(), context)) return false;
  return qualifiers_fit(flags, of_thrown) && alike_below(pointee, from, flags & CONST);
}

// All objects of a type in a whole object, and by what way: for dynamic_cast.
struct sought {
  const type_info *wanted;
  const void *source;  // the object that is cast
  const type_info *source_type;
  const void *above;  // of the wanted type, with the source as a public base
  unsigned above_count;
  const void *beside;  // a public base of the whole object
  unsigned beside_count;
  bool source_is_public;
};

static void each_base(const kind *in, const void *object, bool is_public, const void *above, sought &all);

static void visit(const kind *in, const void *object, bool is_public, const void *above, sought &all) {
  if (same(in, all.wanted)) {
    // The way down starts anew here: what matters is whether the source is a public base of it.
    if (is_public && all.beside != object) {
      all.beside = object;
      all.beside_count++;
    }
    each_base(in, object, true, object, all);
    if (is_public) each_base(in, object, true, nullptr, all);
    return;
  }
  if (object == all.source && same(in, all.source_type) && is_public) {
    if (!above) {
      all.source_is_public = true;
    } else if (all.above != above) {
      all.above = above;
      all.above_count++;
    }
  }
  each_base(in, object, is_public, above, all);
}

static void each_base(const kind *in, const void *object, bool is_public, const void *above, sought &all) {
  unsigned count = in->bases_count();
  for (unsigned index = 0; index < count; index++) {
    base_of base = in->base_at(index);
    visit(base.type, base_in(base, object, true), is_public && (base.flags & 2), above, all);
  }
}

extern "C" void *__dynamic_cast(const void *object, const __class_type_info *from, const __class_type_info *to, long) {
  const long *table = *(const long *const *)object;
  const void *whole = (const char *)object + table[-2];
  const kind *type = (const kind *)table[-1];
  sought all = {to, object, from, nullptr, 0, nullptr, 0, false};
  visit(type, whole, true, nullptr, all);
  if (all.above_count == 1) return (void *)all.above;
  // A cast across: both must be public in the whole object, and the target the only one.
  if (all.above_count == 0 && all.source_is_public && all.beside_count == 1) return (void *)all.beside;
  return nullptr;
}
}  // namespace __cxxabiv1

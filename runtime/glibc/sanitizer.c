/* Handlers of the compiler's checks (-fsanitize=undefined, its groups and parts): each finding is a bug of the program. The
 * full runtime's handlers get the location and the types, the minimal runtime's get no argument; a handler that aborts
 * ends the path. The others continue as natively do, and a location of the program is reported once. A finding that the
 * engine also has, has the engine's message; the others have the messages of KLEE's runtime. A report names the caller's
 * location, and the engine adds the operands, which it reads from the handler's arguments. */
#include <stdint.h>

void homi_report_error(const char *message, const char *suffix);
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);

/* The compiler's descriptions of places and types. */
struct place {
  const char *file;
  uint32_t line, column;
};
struct type {
  uint16_t kind, info; /* kind 0: an integer, signed if the lowest bit of info is set */
};

/* Descriptions of checks that have more data than the location. */
struct typed {
  struct place place;
  const struct type *type;
};
struct shifted {
  struct place place;
  const struct type *left, *right;
};
struct conversion {
  struct place place;
  const struct type *from, *to;
  unsigned char kind;
};
struct access {
  struct place place;
  const struct type *type;
  unsigned char log_alignment, kind;
};

struct finding {
  const char *message, *suffix;
};

static const char POINTER[] = "ptr.err", OVERFLOW[] = "overflow.err", NULLABLE[] = "nullable_attribute.err";

static struct finding finding(const char *message, const char *suffix) {
  return (struct finding){message, suffix};
}

/* A column that no place has: the report is made. */
enum { REPORTED = -1 };

static void report(struct place *place, struct finding found) {
  if (place->column == (uint32_t)REPORTED) return;
  homi_report_error(found.message, found.suffix); /* the engine reads the place, so it is marked afterwards */
  place->column = (uint32_t)REPORTED;
}

static _Noreturn void end(const struct place *place, struct finding found) {
  klee_report_error(place->file, (int)place->line, found.message, found.suffix);
}

/* Bits of an integer type. Numbers of more bits than a pointer has are passed by address. */
static unsigned bits(const struct type *type) { return 1u << (type->info >> 1); }
static int by_address(const struct type *type) { return bits(type) > 8 * sizeof(uintptr_t); }

/* True if a number of a signed type is below zero. */
static int is_negative(const struct type *type, uintptr_t number) {
  if (!(type->info & 1)) return 0;
  if (by_address(type)) return ((const signed char *)number)[bits(type) / 8 - 1] < 0;
  return number >> (bits(type) - 1) & 1;
}

static struct finding overflow(const struct typed *check) {
  const char *message = check->type->info & 1 ? "signed-integer-overflow" : "unsigned-integer-overflow";
  return finding(message, OVERFLOW);
}

/* Of integers only a divisor of 0 or the quotient of the least number and -1 comes here. */
static struct finding division(const struct typed *check, uintptr_t divisor) {
  if (check->type->kind) return finding("float-divide-by-zero", "div.err");
  if (by_address(check->type)) divisor = *(const uintptr_t *)divisor;
  if (divisor == 0) return finding("divide by zero", "div.err");
  return finding("integer division overflow", OVERFLOW);
}

/* The amount first, as the shift is undefined by it whatever is shifted. */
static struct finding shift(const struct shifted *check, uintptr_t number, uintptr_t amount) {
  if (check->left->kind || check->right->kind) return finding("shift out of bounds", OVERFLOW);
  if (by_address(check->right)) amount = *(const uintptr_t *)amount;
  if (amount >= bits(check->left)) return finding("overshift error", "overshift.err");
  if (is_negative(check->left, number)) return finding("left shift of a negative number", "shift.err");
  return finding("shift out of bounds", OVERFLOW);
}

/* An array of no element is often meant; one of less is no array. */
static struct finding no_array(const struct typed *check, uintptr_t length) {
  int is_less = !check->type->kind && is_negative(check->type, length);
  return finding("non-positive-vla-index", is_less ? POINTER : "vla_bound.err");
}

static struct finding mismatch(const struct access *check, uintptr_t pointer) {
  if (pointer == 0) return finding("null-pointer-use", POINTER);
  if (pointer & (((uintptr_t)1 << check->log_alignment) - 1)) return finding("misaligned-pointer-use", POINTER);
  return finding("insufficient-object-size", POINTER);
}

static struct finding pointer_sum(uintptr_t base, uintptr_t result) {
  if (base == 0) return finding(result ? "nullptr-with-nonzero-offset" : "nullptr-with-offset", POINTER);
  return finding(result ? "pointer-overflow" : "nullptr-after-nonzero-offset", POINTER);
}

static struct finding conversion(const struct conversion *check) {
  switch (check->kind) {
  case 1: return finding("implicit-unsigned-integer-truncation", "implicit_truncation.err");
  case 3: return finding("implicit-integer-sign-change", "implicit_conversion.err");
  /* 0: before clang 8 without a sign; 4: a truncation that changes the sign, too. */
  default: return finding("implicit-signed-integer-truncation", "implicit_truncation.err");
  }
}

/* A handler that returns, and its variant that aborts. PARAMETERS begin with the description `check`. */
#define BOTH(name, description, parameters, found)                                                                   \
  void __ubsan_handle_##name parameters { report((struct place *)(description), found); }                            \
  _Noreturn void __ubsan_handle_##name##_abort parameters { end((const struct place *)(description), found); }
#define FIXED(name, message, suffix)                                                                                 \
  BOTH(name, check, (struct place * check, uintptr_t value), finding(message, suffix))
#define ARITHMETIC(name)                                                                                             \
  BOTH(name, check, (struct typed * check, uintptr_t left, uintptr_t right), overflow(check))

ARITHMETIC(add_overflow)
ARITHMETIC(sub_overflow)
ARITHMETIC(mul_overflow)
BOTH(negate_overflow, check, (struct typed * check, uintptr_t value), overflow(check))
BOTH(divrem_overflow, check, (struct typed * check, uintptr_t left, uintptr_t right), division(check, right))
BOTH(shift_out_of_bounds, check, (struct shifted * check, uintptr_t left, uintptr_t right), shift(check, left, right))
FIXED(out_of_bounds, "out-of-bounds-index", POINTER)
BOTH(local_out_of_bounds, check, (struct place * check), finding("out-of-bounds-index", POINTER))
BOTH(vla_bound_not_positive, check, (struct typed * check, uintptr_t length), no_array(check, length))
FIXED(float_cast_overflow, "float-cast-overflow", "float_cast.err")
FIXED(load_invalid_value, "load invalid value", "invalid_load.err")
BOTH(implicit_conversion, check, (struct conversion * check, uintptr_t from, uintptr_t to), conversion(check))
BOTH(invalid_builtin, check, (struct place * check), finding("invalid-builtin-use", "invalid_builtin_use.err"))
FIXED(function_type_mismatch, "function-type-mismatch", "function_type_mismatch.err")
BOTH(nonnull_arg, check, (struct place * check), finding("invalid-null-argument", NULLABLE))
BOTH(nullability_arg, check, (struct place * check), finding("invalid-null-argument", NULLABLE))
BOTH(nonnull_return_v1, place, (struct place * check, struct place *place), finding("invalid-null-return", NULLABLE))
BOTH(nullability_return_v1, place, (struct place * check, struct place *place),
     finding("invalid-null-return", NULLABLE))
BOTH(pointer_overflow, check, (struct place * check, uintptr_t base, uintptr_t result), pointer_sum(base, result))
BOTH(type_mismatch_v1, check, (struct access * check, uintptr_t pointer), mismatch(check, pointer))
BOTH(alignment_assumption, check,
     (struct place * check, uintptr_t pointer, uintptr_t alignment, uintptr_t offset),
     finding("alignment-assumption", POINTER))

/* Handler for compilers before clang 17, in which the handler compares the types. */
void __ubsan_handle_function_type_mismatch_v1(struct place *check, uintptr_t function, uintptr_t own, uintptr_t asked) {
  if (own != asked) __ubsan_handle_function_type_mismatch(check, function);
}
void __ubsan_handle_function_type_mismatch_v1_abort(struct place *check, uintptr_t function, uintptr_t own,
                                                    uintptr_t asked) {
  if (own != asked) __ubsan_handle_function_type_mismatch_abort(check, function);
}

BOTH(cfi_check_fail, (struct place *)((char *)check + sizeof(uintptr_t)),
     (void *check, uintptr_t value, uintptr_t is_vtable), finding("cfi-bad-type", "ptr.err"))

/* Types as C++ describes them (the Itanium ABI): what a table of virtual functions has before it. */
struct info {
  const char *table, *name;
};
struct base {
  const struct info *type;
  long offset_and_flags; /* bit 0: virtual; the offset from bit 8 on */
};
struct info_of_one {
  struct info info;
  const struct info *base;
};
struct info_of_many {
  struct info info;
  uint32_t flags, count;
  struct base bases[];
};
extern char of_one[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE") __attribute__((weak));
extern char of_many[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE") __attribute__((weak));

/* Offset of the first function in a class's virtual table, and the flag and the shift in `offset_and_flags`. */
enum { FIRST_FUNCTION = 16, VIRTUAL = 1, OFFSET_SHIFT = 8 };

/* True if an object of a type has a part of another type at an offset. What lies in virtual bases is believed. */
static int has_part(const struct info *type, const struct info *part, long offset) {
  if (type == part || type->name == part->name) return offset == 0;
  if (of_one && type->table == of_one + FIRST_FUNCTION)
    return has_part(((const struct info_of_one *)type)->base, part, offset);
  if (!of_many || type->table != of_many + FIRST_FUNCTION) return 0;
  const struct info_of_many *many = (const struct info_of_many *)type;
  for (uint32_t i = 0; i < many->count; i++) {
    long word = many->bases[i].offset_and_flags;
    if (word & VIRTUAL || has_part(many->bases[i].type, part, offset - (word >> OFFSET_SHIFT))) return 1;
  }
  return 0;
}

enum { CACHED = 128 };
uintptr_t __ubsan_vptr_type_cache[CACHED];

struct dynamic_access {
  struct place place;
  const struct type *type;
  const struct info *info;
  unsigned char kind;
};

/* True if a pointer is to an object whose table of functions says that it has the expected type; it is remembered. */
static int is_of_type(const struct dynamic_access *check, uintptr_t pointer, uintptr_t hash) {
  const uintptr_t *table = *(const uintptr_t **)pointer;
  if (!table || !has_part((const struct info *)table[-1], check->info, -(long)table[-2])) return 0;
  __ubsan_vptr_type_cache[hash % CACHED] = hash;
  return 1;
}
static const char OTHER_TYPE[] = "dynamic-type-mismatch";
void __ubsan_handle_dynamic_type_cache_miss(struct dynamic_access *check, uintptr_t pointer, uintptr_t hash) {
  if (!is_of_type(check, pointer, hash)) report(&check->place, finding(OTHER_TYPE, POINTER));
}
void __ubsan_handle_dynamic_type_cache_miss_abort(struct dynamic_access *check, uintptr_t pointer, uintptr_t hash) {
  if (!is_of_type(check, pointer, hash)) end(&check->place, finding(OTHER_TYPE, POINTER));
}

/* These two have no kin: nothing can go on after them. */
_Noreturn void __ubsan_handle_builtin_unreachable(struct place *check) {
  end(check, finding("unreachable-call", "unreachable_call.err"));
}
_Noreturn void __ubsan_handle_missing_return(struct place *check) {
  end(check, finding("missing-return", "missing_return.err"));
}

/* The minimal runtime, whose messages are the checks' names. */
#define MINIMAL(name, message, suffix)                                                                               \
  void __ubsan_handle_##name##_minimal(void) { homi_report_error(message, suffix); }                                 \
  _Noreturn void __ubsan_handle_##name##_minimal_abort(void) { klee_report_error("", 0, message, suffix); }

MINIMAL(type_mismatch, "type-mismatch", POINTER)
MINIMAL(alignment_assumption, "alignment-assumption", POINTER)
MINIMAL(add_overflow, "add-overflow", OVERFLOW)
MINIMAL(sub_overflow, "sub-overflow", OVERFLOW)
MINIMAL(mul_overflow, "mul-overflow", OVERFLOW)
MINIMAL(negate_overflow, "negate-overflow", OVERFLOW)
MINIMAL(divrem_overflow, "divrem-overflow", OVERFLOW)
MINIMAL(shift_out_of_bounds, "shift-out-of-bounds", OVERFLOW)
MINIMAL(out_of_bounds, "out-of-bounds-index", POINTER)
MINIMAL(local_out_of_bounds, "out-of-bounds-index", POINTER)
MINIMAL(vla_bound_not_positive, "vla-bound-not-positive", "vla_bound.err")
MINIMAL(float_cast_overflow, "float-cast-overflow", "float_cast.err")
MINIMAL(load_invalid_value, "load invalid value", "invalid_load.err")
MINIMAL(implicit_conversion, "implicit-conversion", "implicit_conversion.err")
MINIMAL(invalid_builtin, "invalid-builtin-use", "invalid_builtin_use.err")
MINIMAL(function_type_mismatch, "function-type-mismatch", "function_type_mismatch.err")
MINIMAL(nonnull_arg, "invalid-null-argument", NULLABLE)
MINIMAL(nonnull_return, "invalid-null-return", NULLABLE)
MINIMAL(nullability_arg, "invalid-null-argument", NULLABLE)
MINIMAL(nullability_return, "invalid-null-return", NULLABLE)
MINIMAL(pointer_overflow, "pointer-overflow", POINTER)
MINIMAL(cfi_check_fail, "cfi-check-fail", POINTER)
MINIMAL(builtin_unreachable, "unreachable-call", "unreachable_call.err")
MINIMAL(missing_return, "missing-return", "missing_return.err")

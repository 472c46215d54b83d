// Throwing and catching (Itanium C++ ABI, "Exception Handling", Level II), std::terminate, and the standard exceptions
// that have no text of std::string in their constructors.
#include "exception.h"
#include "types.h"

extern "C" {
#include <homi/engine.h>
void *malloc(unsigned long size);
void free(void *block);
void *memset(void *block, int byte, unsigned long size);
unsigned long strlen(const char *text);
void *memcpy(void *to, const void *from, unsigned long size);
int _Unwind_RaiseException(_Unwind_Exception *exception);
void _Unwind_DeleteException(_Unwind_Exception *exception);
}

namespace std {
using terminate_handler = void (*)();
using unexpected_handler = void (*)();
using new_handler = void (*)();
terminate_handler get_terminate() noexcept;
unexpected_handler get_unexpected() noexcept;

class exception {
 public:
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }

#define PLAIN(name, base)                       \
  class name : public base {                    \
   public:                                      \
    name() noexcept;                            \
    ~name() noexcept override;                  \
    const char *what() const noexcept override; \
  };                                            \
  name::name() noexcept {}                      \
  name::~name() noexcept {}                     \
  const char *name::what() const noexcept { return "std::" #name; }
PLAIN(bad_exception, exception)
PLAIN(bad_alloc, exception)
PLAIN(bad_array_new_length, bad_alloc)
PLAIN(bad_cast, exception)
PLAIN(bad_typeid, exception)

// A text that copies of an exception share.
struct shared_text {
  char *letters;  // behind a count of those who share it
  static long &count(char *letters) { return ((long *)letters)[-1]; }
  void make(const char *text) {
    unsigned long length = strlen(text) + 1;
    char *block = (char *)malloc(sizeof(long) + length);
    if (!block) throw bad_alloc();
    letters = block + sizeof(long);
    count(letters) = 1;
    memcpy(letters, text, length);
  }
  void share(const shared_text &other) { count(letters = other.letters)++; }
  void drop() {
    if (--count(letters) == 0) free(letters - sizeof(long));
  }
};

#define WITH_TEXT(name)                                \
  class name : public exception {                      \
   public:                                             \
    explicit name(const char *text);                   \
    name(const name &other) noexcept;                  \
    name &operator=(const name &other) noexcept;       \
    ~name() noexcept override;                         \
    const char *what() const noexcept override;        \
    shared_text text;                                  \
  };                                                   \
  name::name(const char *letters) { text.make(letters); } \
  name::name(const name &other) noexcept { text.share(other.text); } \
  name &name::operator=(const name &other) noexcept {  \
    if (text.letters != other.text.letters) {          \
      text.drop();                                     \
      text.share(other.text);                          \
    }                                                  \
    return *this;                                      \
  }                                                    \
  name::~name() noexcept { text.drop(); }              \
  const char *name::what() const noexcept { return text.letters; }
WITH_TEXT(logic_error)
WITH_TEXT(runtime_error)

#define DERIVED(name, base)         \
  class name : public base {        \
   public:                          \
    explicit name(const char *text); \
    ~name() noexcept override;      \
  };                                \
  name::name(const char *text) : base(text) {} \
  name::~name() noexcept {}
DERIVED(domain_error, logic_error)
DERIVED(invalid_argument, logic_error)
DERIVED(length_error, logic_error)
DERIVED(out_of_range, logic_error)
DERIVED(range_error, runtime_error)
DERIVED(overflow_error, runtime_error)
DERIVED(underflow_error, runtime_error)

// Functions that headers of libstdc++ call to throw.
[[noreturn]] void __throw_bad_alloc() { throw bad_alloc(); }
[[noreturn]] void __throw_bad_array_new_length() { throw bad_array_new_length(); }
[[noreturn]] void __throw_bad_cast() { throw bad_cast(); }
[[noreturn]] void __throw_bad_exception() { throw bad_exception(); }
[[noreturn]] void __throw_bad_typeid() { throw bad_typeid(); }
[[noreturn]] void __throw_logic_error(const char *text) { throw logic_error(text); }
[[noreturn]] void __throw_domain_error(const char *text) { throw domain_error(text); }
[[noreturn]] void __throw_invalid_argument(const char *text) { throw invalid_argument(text); }
[[noreturn]] void __throw_length_error(const char *text) { throw length_error(text); }
[[noreturn]] void __throw_out_of_range(const char *text) { throw out_of_range(text); }
[[noreturn]] void __throw_out_of_range_fmt(const char *text, ...) { throw out_of_range(text); }
[[noreturn]] void __throw_runtime_error(const char *text) { throw runtime_error(text); }
[[noreturn]] void __throw_range_error(const char *text) { throw range_error(text); }
[[noreturn]] void __throw_overflow_error(const char *text) { throw overflow_error(text); }
[[noreturn]] void __throw_underflow_error(const char *text) { throw underflow_error(text); }

static terminate_handler on_terminate;
static unexpected_handler on_unexpected;

terminate_handler set_terminate(terminate_handler handler) noexcept {
  terminate_handler before = get_terminate();
  on_terminate = handler;
  return before;
}
}  // namespace std

namespace __cxxabiv1 {
// Of each thread: the exceptions that are being handled, the innermost first, and how many are on their way.
struct thread_exceptions {
  cxa_exception *caught;
  unsigned on_the_way;
};
static __thread thread_exceptions mine;

static cxa_exception *header_of(_Unwind_Exception *exception) { return (cxa_exception *)(exception + 1) - 1; }
static bool is_native(const _Unwind_Exception *exception) {
  return exception->exception_class >> 8 == HOMI_CXX_CLASS >> 8;
}
// The thrown object's own header: a dependent exception has another's object.
static cxa_exception *primary(cxa_exception *header) {
  bool is_dependent = header->unwind.exception_class == HOMI_CXX_DEPENDENT;
  return is_dependent ? (cxa_exception *)header->reference_count - 1 : header;
}

[[noreturn]] static void end(void (*handler)()) noexcept {
  try {
    handler();
  } catch (...) {
  }
  homi_abort();
}

// std::terminate's own answer: the type that nothing caught.
[[noreturn]] static void say_and_abort() {
  cxa_exception *header = mine.caught;
  homi_uncaught(header && is_native(&header->unwind) ? ((std::type_info *)header->type)->mangled : nullptr);
}

extern "C" void __cxa_free_exception(void *object) noexcept { free((cxa_exception *)object - 1); }

extern "C" void *__cxa_allocate_exception(unsigned long size) noexcept {
  cxa_exception *header = (cxa_exception *)malloc(sizeof(cxa_exception) + size);
  if (!header) end(std::get_terminate());
  memset(header, 0, sizeof(cxa_exception));
  return header + 1;
}

static void drop(void *object) noexcept {
  cxa_exception *header = (cxa_exception *)object - 1;
  if (--header->reference_count > 0) return;
  if (header->destructor) header->destructor(object);
  __cxa_free_exception(object);
}

// Called once the handler that caught the exception, perhaps in another language, no longer needs it.
static void clean_up(int, _Unwind_Exception *exception) noexcept {
  cxa_exception *header = header_of(exception);
  cxa_exception *whole = primary(header);
  if (whole != header) __cxa_free_exception(header + 1);
  drop(whole + 1);
}

extern "C" void *__cxa_begin_catch(void *caught) noexcept {
  _Unwind_Exception *exception = (_Unwind_Exception *)caught;
  cxa_exception *header = header_of(exception);
  if (!is_native(exception)) {
    if (mine.caught) end(std::get_terminate());
    mine.caught = header;
    return exception + 1;
  }
  int count = header->handler_count;
  header->handler_count = (count < 0 ? -count : count) + 1;
  if (mine.caught != header) {
    header->next = mine.caught;
    mine.caught = header;
  }
  mine.on_the_way--;
  return header->adjusted_pointer;
}

extern "C" void *__cxa_get_exception_ptr(void *caught) noexcept {
  return header_of((_Unwind_Exception *)caught)->adjusted_pointer;
}

extern "C" void __cxa_end_catch() {
  cxa_exception *header = mine.caught;
  if (!header) return;
  if (!is_native(&header->unwind)) {
    mine.caught = nullptr;
    _Unwind_DeleteException(&header->unwind);
    return;
  }
  if (header->handler_count < 0) {
    // It was thrown again and lives on.
    if (++header->handler_count == 0) mine.caught = header->next;
    return;
  }
  if (--header->handler_count > 0) return;
  mine.caught = header->next;
  clean_up(0, &header->unwind);
}

// Nothing catches it: it counts as caught by std::terminate.
[[noreturn]] static void not_caught(cxa_exception *header) {
  __cxa_begin_catch(&header->unwind);
  end(is_native(&header->unwind) && header->terminate_handler ? header->terminate_handler : std::get_terminate());
}

extern "C" [[noreturn]] void __cxa_throw(void *object, std::type_info *type, void (*destructor)(void *)) {
  cxa_exception *header = (cxa_exception *)object - 1;
  header->unexpected_handler = std::get_unexpected();
  header->terminate_handler = std::get_terminate();
  header->type = type;
  header->destructor = destructor;
  header->reference_count = 1;
  header->unwind.exception_class = HOMI_CXX_CLASS;
  header->unwind.exception_cleanup = clean_up;
  mine.on_the_way++;
  _Unwind_RaiseException(&header->unwind);
  not_caught(header);
}

extern "C" [[noreturn]] void __cxa_rethrow() {
  cxa_exception *header = mine.caught;
  if (!header) end(std::get_terminate());
  if (is_native(&header->unwind)) {
    header->handler_count = -header->handler_count;
    mine.on_the_way++;
  } else {
    mine.caught = nullptr;
  }
  _Unwind_RaiseException(&header->unwind);
  not_caught(header);
}

extern "C" std::type_info *__cxa_current_exception_type() {
  cxa_exception *header = mine.caught;
  return header && is_native(&header->unwind) ? (std::type_info *)header->type : nullptr;
}

// std::exception_ptr is the object's address; each that has one counts.
extern "C" void __cxa_increment_exception_refcount(void *object) noexcept {
  if (object) ((cxa_exception *)object - 1)->reference_count++;
}
extern "C" void __cxa_decrement_exception_refcount(void *object) noexcept {
  if (object) drop(object);
}
extern "C" void *__cxa_current_primary_exception() noexcept {
  cxa_exception *header = mine.caught;
  if (!header || !is_native(&header->unwind)) return nullptr;
  void *object = primary(header) + 1;
  __cxa_increment_exception_refcount(object);
  return object;
}
extern "C" void __cxa_rethrow_primary_exception(void *object) {
  if (!object) return;
  cxa_exception *whole = (cxa_exception *)object - 1;
  cxa_exception *header = (cxa_exception *)__cxa_allocate_exception(0) - 1;
  header->reference_count = (homi_word)object;
  __cxa_increment_exception_refcount(object);
  header->type = whole->type;
  header->unexpected_handler = std::get_unexpected();
  header->terminate_handler = std::get_terminate();
  header->unwind.exception_class = HOMI_CXX_DEPENDENT;
  header->unwind.exception_cleanup = clean_up;
  mine.on_the_way++;
  _Unwind_RaiseException(&header->unwind);
  not_caught(header);
}

extern "C" thread_exceptions *__cxa_get_globals() noexcept { return &mine; }
extern "C" thread_exceptions *__cxa_get_globals_fast() noexcept { return &mine; }
extern "C" unsigned __cxa_uncaught_exceptions() noexcept { return mine.on_the_way; }

extern "C" [[noreturn]] void __cxa_call_terminate(void *exception) noexcept {
  if (exception) __cxa_begin_catch(exception);
  end(std::get_terminate());
}

// An exception of a type that a function's exception specification does not name has been stopped by it. What the
// handler throws instead goes on if the specification names that, or as std::bad_exception if it names this.
extern "C" bool __homi_catches(const void *type, _Unwind_Exception *exception);
struct stopped {
  unsigned long *types;
  ~stopped() {
    free(types);
    __cxa_end_catch();
  }
};
extern "C" [[noreturn]] void __cxa_call_unexpected(void *exception) {
  cxa_exception *header = header_of((_Unwind_Exception *)exception);
  __cxa_begin_catch(exception);
  bool is_own = is_native(&header->unwind);
  void (*terminates)() = is_own ? header->terminate_handler : std::get_terminate();
  stopped stopped = {is_own ? (unsigned long *)header->action_record : nullptr};
  if (is_own) header->action_record = nullptr;
  try {
    (is_own ? header->unexpected_handler : std::get_unexpected())();
  } catch (...) {
    unsigned long count = stopped.types ? stopped.types[0] : 0;
    for (unsigned long index = 1; index <= count; index++)
      if (__homi_catches((const void *)stopped.types[index], &mine.caught->unwind)) throw;
    std::bad_exception instead;
    for (unsigned long index = 1; index <= count; index++) {
      void *object = &instead;
      if (((const kind *)stopped.types[index])->can_catch((const kind *)&typeid(std::bad_exception), object)) throw instead;
    }
    end(terminates);
  }
  end(terminates);
}

extern "C" [[noreturn]] void __cxa_pure_virtual() {
  homi_report_error("a pure virtual function is called", "abort.err");
  end(std::get_terminate());
}
extern "C" [[noreturn]] void __cxa_deleted_virtual() {
  homi_report_error("a deleted virtual function is called", "abort.err");
  end(std::get_terminate());
}
extern "C" [[noreturn]] void __cxa_bad_cast() { throw std::bad_cast(); }
extern "C" [[noreturn]] void __cxa_bad_typeid() { throw std::bad_typeid(); }
extern "C" [[noreturn]] void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }

// Static locals. The first byte says that the variable is initialized, the second that a thread is initializing it;
// other threads wait for that.
extern "C" int sched_yield();
extern "C" int __cxa_guard_acquire(char *guard) {
  if (guard[0]) return 0;
  while (guard[1]) {
    sched_yield();
    if (guard[0]) return 0;
  }
  guard[1] = 1;
  return 1;
}
extern "C" void __cxa_guard_release(char *guard) {
  guard[0] = 1;
  guard[1] = 0;
}
extern "C" void __cxa_guard_abort(char *guard) { guard[1] = 0; }
}  // namespace __cxxabiv1

namespace std {
terminate_handler get_terminate() noexcept { return on_terminate ? on_terminate : __cxxabiv1::say_and_abort; }
[[noreturn]] void terminate() noexcept {
  cxa_exception *header = __cxxabiv1::mine.caught;
  bool is_own = header && __cxxabiv1::is_native(&header->unwind) && header->terminate_handler;
  __cxxabiv1::end(is_own ? header->terminate_handler : get_terminate());
}
unexpected_handler get_unexpected() noexcept { return on_unexpected ? on_unexpected : terminate; }
unexpected_handler set_unexpected(unexpected_handler handler) noexcept {
  unexpected_handler before = get_unexpected();
  on_unexpected = handler;
  return before;
}
[[noreturn]] void unexpected() {
  get_unexpected()();
  terminate();
}
bool uncaught_exception() noexcept { return __cxxabiv1::mine.on_the_way > 0; }
int uncaught_exceptions() noexcept { return (int)__cxxabiv1::mine.on_the_way; }

static new_handler on_new;
new_handler set_new_handler(new_handler handler) noexcept {
  new_handler before = on_new;
  on_new = handler;
  return before;
}
new_handler get_new_handler() noexcept { return on_new; }
struct nothrow_t {
  explicit nothrow_t() = default;
};
extern const nothrow_t nothrow;
const nothrow_t nothrow{};
}  // namespace std

// The engine allocates and frees. It leaves a call to these where there is no memory (or where it is asked to let an
// allocation fail), so what is left is what comes then.
namespace std {
enum class align_val_t : unsigned long {};
}
extern "C" int posix_memalign(void **block, unsigned long alignment, unsigned long size);

static void *without_room(unsigned long size) {
  for (;;) {
    std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
    if (void *block = malloc(size)) return block;
  }
}
static void *without_throwing(unsigned long size) noexcept {
  try {
    return without_room(size);
  } catch (...) {
    return nullptr;
  }
}
static void *aligned(unsigned long size, std::align_val_t alignment) {
  for (;;) {
    void *block;
    unsigned long least = (unsigned long)alignment < sizeof(void *) ? sizeof(void *) : (unsigned long)alignment;
    if (posix_memalign(&block, least, size) == 0) return block;
    std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}
static void *aligned_without_throwing(unsigned long size, std::align_val_t alignment) noexcept {
  try {
    return aligned(size, alignment);
  } catch (...) {
    return nullptr;
  }
}
using std::align_val_t;
using std::nothrow_t;
void *operator new(unsigned long size) { return without_room(size); }
void *operator new[](unsigned long size) { return without_room(size); }
void *operator new(unsigned long size, const nothrow_t &) noexcept { return without_throwing(size); }
void *operator new[](unsigned long size, const nothrow_t &) noexcept { return without_throwing(size); }
void *operator new(unsigned long size, align_val_t alignment) { return aligned(size, alignment); }
void *operator new[](unsigned long size, align_val_t alignment) { return aligned(size, alignment); }
void *operator new(unsigned long size, align_val_t alignment, const nothrow_t &) noexcept {
  return aligned_without_throwing(size, alignment);
}
void *operator new[](unsigned long size, align_val_t alignment, const nothrow_t &) noexcept {
  return aligned_without_throwing(size, alignment);
}

// A program is one object: __cxa_atexit is given this address as its name.
extern "C" {
void *__dso_handle;
}

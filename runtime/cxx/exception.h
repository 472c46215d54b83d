/* Layout of an exception in memory by the Itanium C++ ABI ("Exception Handling", Level I and II), with the
 * additional fields of LLVM's libc++abi, so that either library works with the search in unwind.c. 64-bit only. */
#ifndef HOMI_CXX_EXCEPTION_H
#define HOMI_CXX_EXCEPTION_H

typedef unsigned long homi_word;
typedef unsigned long long homi_class;

/* The head of an exception of any language. The unwinder owns the two words: the depth of the frame that catches it, and
 * the selector that its landing pad receives. */
struct _Unwind_Exception {
  homi_class exception_class;
  void (*exception_cleanup)(int reason, struct _Unwind_Exception *exception);
  homi_word private_1;
  homi_word private_2;
} __attribute__((aligned(16)));

enum {
  URC_FOREIGN_EXCEPTION_CAUGHT = 1,
  URC_FATAL_PHASE1_ERROR = 3,
  URC_END_OF_STACK = 5,
};

/* Of an exception of C++; the thrown object comes right behind it. */
struct cxa_exception {
  void *reserve;
  homi_word reference_count; /* of a dependent exception: the object that it stands for */
  void *type;
  void (*destructor)(void *object);
  void (*unexpected_handler)(void);
  void (*terminate_handler)(void);
  struct cxa_exception *next;
  int handler_count; /* negative: thrown again */
  int handler_switch_value;
  const void *action_record;
  const void *language_specific_data;
  void *catch_temp;
  void *adjusted_pointer;
  struct _Unwind_Exception unwind;
};

/* "CLNGC++" and a last byte: 0, or 1 for a dependent exception (std::rethrow_exception). */
#define HOMI_CXX_CLASS 0x434c4e47432b2b00ULL
#define HOMI_CXX_DEPENDENT 0x434c4e47432b2b01ULL

#endif

/* Exceptions on their way: the search for what catches one, and the way there (Itanium C++ ABI, Level I).
 *
 * The search comes first and leaves the stack as it is, so that std::terminate is called where an exception was thrown
 * that nothing catches. Then all that cleans up runs, from the innermost frame on, and each calls _Unwind_Resume at
 * its end. The engine reports what a frame's landing pad catches (homi/engine.h), so there are no tables to read and
 * no personality is ever called. */
#include <homi/engine.h>

#include "exception.h"

void *malloc(unsigned long size);
void free(void *block);

enum clause { NONE, CATCH, FILTER, LISTED, CLEANUP, STOP };

/* A type, as far as it is asked here: its table of functions, the fifth of which tells whether it catches another. */
struct type {
  const struct {
    void *others[4];
    _Bool (*can_catch)(const struct type *catcher, const struct type *thrown, void **object);
  } *functions;
};

static _Bool is_native(const struct _Unwind_Exception *exception) {
  return exception->exception_class >> 8 == HOMI_CXX_CLASS >> 8;
}

/* True if a clause for a type catches an exception; `*object` becomes what its landing pad gets to see. */
static _Bool catches(const struct type *catcher, struct _Unwind_Exception *exception, void **object) {
  *object = exception + 1;
  if (!is_native(exception)) return !catcher;
  struct cxa_exception *header = (struct cxa_exception *)(exception + 1) - 1;
  if (exception->exception_class == HOMI_CXX_DEPENDENT) *object = (void *)header->reference_count;
  return !catcher || catcher->functions->can_catch(catcher, header->type, object);
}

_Bool __homi_catches(const void *catcher, struct _Unwind_Exception *exception) {
  void *ignored;
  return catches(catcher, exception, &ignored);
}

/* Keeps the types of the filter that has stopped an exception, for __cxa_call_unexpected, which frees them: the number
 * and the types. Without memory there are none. */
static void keep_filter(uint64_t depth, uint64_t index, struct _Unwind_Exception *exception) {
  uint64_t words[2], count = 0;
  while (homi_unwind_clause(depth, index + count, words) == LISTED) count++;
  uint64_t *kept = malloc((count + 1) * sizeof *kept);
  if (kept) {
    kept[0] = count;
    for (uint64_t at = 0; at < count; at++) {
      homi_unwind_clause(depth, index + at, words);
      kept[at + 1] = words[0];
    }
  }
  struct cxa_exception *header = (struct cxa_exception *)(exception + 1) - 1;
  free((void *)header->action_record);
  header->action_record = kept;
}

/* Returns 1 if the frame at a depth catches an exception, with the arguments of its landing pad; 0 if not; -1 if the
 * exception cannot leave the frame. */
static int frame_catches(uint64_t depth, struct _Unwind_Exception *exception, int *selector, void **object) {
  uint64_t words[2];
  _Bool in_filter = 0, is_listed = 0;
  uint64_t filter = 0;
  for (uint64_t index = 0;; index++) {
    int clause = homi_unwind_clause(depth, index, words);
    if (in_filter && clause != LISTED) {
      if (!is_listed) {
        if (is_native(exception)) keep_filter(depth, filter, exception);
        return 1;
      }
      in_filter = 0;
    }
    if (clause == STOP) return -1;
    if (clause == NONE || clause == CLEANUP) return 0;
    const struct type *type = (const struct type *)words[0];
    if (clause == FILTER) {
      in_filter = 1, is_listed = 0, filter = index + 1;
      *selector = (int)words[1];
      *object = exception + 1;
    } else if (clause == LISTED) {
      void *ignored;
      is_listed = is_listed || catches(type, exception, &ignored);
    } else if (catches(type, exception, object)) {
      *selector = (int)words[1];
      return 1;
    }
  }
}

static _Bool frame_cleans_up(uint64_t depth) {
  uint64_t words[2];
  int clause;
  for (uint64_t index = 0; (clause = homi_unwind_clause(depth, index, words)) != NONE; index++)
    if (clause == CLEANUP || clause == STOP) return clause == CLEANUP;
  return 0;
}

/* From the frame at `depth` outwards to the one that catches. */
static _Noreturn void go_on(struct _Unwind_Exception *exception, uint64_t depth) {
  for (; depth > exception->private_1; depth--)
    if (frame_cleans_up(depth)) homi_unwind_land(depth, exception, 0);
  homi_unwind_land(depth, exception, (int)exception->private_2);
}

int _Unwind_RaiseException(struct _Unwind_Exception *exception) {
  uint64_t own = homi_unwind_depth();
  for (uint64_t depth = own - 1; depth > 0; depth--) {
    int selector;
    void *object;
    int caught = frame_catches(depth, exception, &selector, &object);
    if (caught < 0) break;
    if (!caught) continue;
    if (is_native(exception)) {
      struct cxa_exception *header = (struct cxa_exception *)(exception + 1) - 1;
      header->adjusted_pointer = object;
      header->handler_switch_value = selector;
    }
    exception->private_1 = depth;
    exception->private_2 = (homi_word)(long)selector;
    go_on(exception, own - 1);
  }
  return URC_END_OF_STACK;
}

int _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *exception) {
  return _Unwind_RaiseException(exception);
}

_Noreturn void _Unwind_Resume(struct _Unwind_Exception *exception) {
  go_on(exception, homi_unwind_depth() - 1);
}

void _Unwind_DeleteException(struct _Unwind_Exception *exception) {
  if (exception->exception_cleanup) exception->exception_cleanup(URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

/* Functions name it as theirs; it is never called. */
int __gxx_personality_v0(void) {
  homi_unsupported("a call of __gxx_personality_v0");
}

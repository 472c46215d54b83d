/* The interface between a test harness and the engine, compatible with the one that KLEE offers.
 *
 * A harness that includes this header runs under homi (the engine executes these functions itself) and
 * natively (linked with runtime/replay/klee_runtime.c, which reads the values from a .ktest file). */
#ifndef KLEE_KLEE_H
#define KLEE_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- symbolic inputs ---- */

/* Makes the whole object at `address` symbolic; `bytes` must be its size. A null or empty name means
 * "unnamed". */
void klee_make_symbolic(void *address, size_t bytes, const char *name);
/* A symbolic int in [begin, end). An interval of one value yields that value and makes no object. */
int klee_range(int begin, int end, const char *name);
/* An unconstrained symbolic int. */
int klee_int(const char *name);
/* A symbolic value below `n`, in an object named "klee_choose". */
uintptr_t klee_choose(uintptr_t n);

/* ---- constraints and checks ---- */

/* Keeps only the inputs for which the condition holds. */
void klee_assume(uintptr_t condition);
/* A wish: among the inputs of this path prefer one for which the condition holds. */
void klee_prefer_cex(void *object, uintptr_t condition);
/* The same, heeded only when readable inputs are asked for. */
void klee_posix_prefer_cex(void *object, uintptr_t condition);

#define klee_assert(expression) \
  ((expression) ? (void)0 : klee_assert_fail(#expression, __FILE__, __LINE__, __func__))

__attribute__((noreturn)) void klee_assert_fail(const char *expression, const char *file, unsigned line,
                                                const char *function);

/* ---- the end of a path ---- */

/* A bug of kind "abort". */
__attribute__((noreturn)) void klee_abort(void);
/* Ends this path without a test. */
__attribute__((noreturn)) void klee_silent_exit(int status);
/* A bug with a message; `suffix` names the kind, as in testNNNNNN.<suffix>. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* ---- questions about values ---- */

/* True if the value is not a constant on this path. */
unsigned klee_is_symbolic(uintptr_t value);
/* 1 when the harness runs natively on a .ktest file, 0 under the engine. */
unsigned klee_is_replay(void);

/* A value that the expression may have on this path; the path is not constrained to it. */
float klee_get_valuef(float expression);
double klee_get_valued(double expression);
long klee_get_valuel(long expression);
long long klee_get_valuell(long long expression);
int32_t klee_get_value_i32(int32_t expression);
int64_t klee_get_value_i64(int64_t expression);

/* ---- messages, all to standard error ---- */

void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(void);
void klee_warning(const char *message);
void klee_warning_once(const char *message);

/* ---- memory ---- */

/* The size in bytes of the object that starts at `object`. */
size_t klee_get_obj_size(void *object);
/* A bug of kind "ptr" unless all `bytes` bytes at `address` can be accessed. */
void klee_check_memory_access(const void *address, size_t bytes);
/* Makes an object exist at a fixed address. */
void klee_define_fixed_object(void *address, size_t bytes);
/* The object outlives the frame that made it. */
void klee_mark_global(void *object);

/* ---- the engine's behavior on this path ---- */

/* True if this path may fork. */
void klee_set_forking(unsigned enable);
void klee_open_merge(void);
void klee_close_merge(void);
int klee_get_errno(void);

#ifdef __cplusplus
}
#endif
#endif

/* Regular expressions as in glibc: the families of regcomp and regexec, re_compile_pattern, re_search, re_match. musl's differ in
 * what they accept, and lack GNU's interface. The code is gnulib's, which is glibc's made to work outside of it; set-up takes
 * it from the sources of coreutils (see ../musl/prepare.py). This file gives it what gnulib's configuration would. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Functions have their public names at once. */
#undef weak_alias
#define weak_alias(name, alias)
#define libc_hidden_def(name)
#define __always_inline inline __attribute__((__always_inline__))
#define __GNUC_PREREQ(major, minor) 1
#define _GL_ATTRIBUTE_FALLTHROUGH __attribute__((__fallthrough__))
#define FALLTHROUGH _GL_ATTRIBUTE_FALLTHROUGH
#define __attribute_noinline__ __attribute__((__noinline__))
#define __glibc_likely(condition) __builtin_expect((condition), 1)
#define __glibc_unlikely(condition) __builtin_expect((condition), 0)
#define __attribute_warn_unused_result__ __attribute__((__warn_unused_result__))
#ifndef ULONG_WIDTH
#define ULONG_WIDTH __LONG_WIDTH__
#endif
#define HAVE_ISBLANK 1
#define HAVE_DECL_ISBLANK 1
/* BSD's re_comp and re_exec, too. */
#define _REGEX_RE_COMP 1

#include "gnulib/regex.c"

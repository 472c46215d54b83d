/* Runs tests that `homi keep` wrote as a group of CMocka: cc test_NAME.c -lcmocka. The checks are the ones of
   homi_check.h, and each case still runs in a process of its own. A known bug is skipped, and so is one
   that only a sanitizer shows; a bug that is fixed passes, and `homi keep` makes it an ordinary case. */
#ifndef HOMI_CMOCKA_H
#define HOMI_CMOCKA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "homi_check.h"

static void homi_run_one(void **state) {
  const struct homi_case *one = (const struct homi_case *)*state;
  if (one->kind == HOMI_SANITIZER_BUG && !HOMI_SANITIZED) skip();
  if (homi_try(one)) return;
  if (one->kind == HOMI_PASSES) fail();
  fprintf(homi_out, "# known bug: %s\n", one->about);
  skip();
}

static inline int homi_run_group(const struct homi_case *cases, size_t count) {
  struct CMUnitTest *tests = (struct CMUnitTest *)calloc(count, sizeof *tests);
  homi_out = fdopen(dup(2), "w");
  if (!tests || !homi_out) return 99;
  for (size_t i = 0; i < count; i++) {
    tests[i].name = cases[i].name;
    tests[i].test_func = homi_run_one;
    tests[i].initial_state = (void *)&cases[i];
  }
  return _cmocka_run_group_tests("homi", tests, count, NULL, NULL) ? 1 : 0;
}

#undef HOMI_MAIN
#define HOMI_MAIN(cases)                                                                           \
  int main(void) { return homi_run_group(cases, sizeof cases / sizeof cases[0]); }

#endif

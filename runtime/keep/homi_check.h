/* Checks and a main for tests that `homi keep` wrote. Each case runs in a process of its own; the
   output is TAP. Usage: test [--list | CASE...]; exit status 0 all pass, 1 not, 99 cannot run. */
#ifndef HOMI_CHECK_H
#define HOMI_CHECK_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HOMI_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOMI_SANITIZED 1
#endif
#endif
#ifndef HOMI_SANITIZED
#define HOMI_SANITIZED 0
#endif

/* A bug is a TODO: it does not fail. One that only a sanitizer shows is skipped without one. */
enum homi_kind { HOMI_PASSES, HOMI_BUG, HOMI_SANITIZER_BUG };

struct homi_case {
  const char *name;
  void (*run)(void);
  enum homi_kind kind;
  const char *about; /* the bug */
};

static FILE *homi_out;
static int homi_failed;

/* CHECK_INT and its like compare; with HOMI_RECORD they write down what homi expects. */
#ifdef HOMI_RECORD
#define HOMI_SAY(format, value) fprintf(homi_out, "%d " format "\n", __LINE__, value)
#define CHECK_INT(is, want) HOMI_SAY("%lld", (long long)(is))
#define CHECK_UINT(is, want) HOMI_SAY("%llu", (unsigned long long)(is))
#define CHECK_FLOAT(is, want) homi_say_float(__LINE__, (double)(is))
#define CHECK_BYTES(is, want, size) homi_say_bytes(__LINE__, (is), (size))
#define CHECK_TEXT(is, want) HOMI_SAY("%s", (is))
#define CHECK_SAME(is, want) HOMI_SAY("%d", (const void *)(is) == (const void *)(want))
#define CHECK_NULL(is) HOMI_SAY("%d", (is) == NULL)
#define CHECK_NOT_NULL(is) HOMI_SAY("%d", (is) != NULL)

static inline void homi_say_float(int line, double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  fprintf(homi_out, "%d %llx\n", line, value == value ? bits : 0x7ff8000000000000ULL);
}

static inline void homi_say_bytes(int line, const void *bytes, size_t size) {
  fprintf(homi_out, "%d ", line);
  for (size_t i = 0; i < size; i++) fprintf(homi_out, "%02x", ((const unsigned char *)bytes)[i]);
  fputc('\n', homi_out);
}
#else
#define HOMI_CHECK(holds, format, is, want)                                                        \
  ((holds) ? (void)0                                                                               \
           : (homi_failed = 1, (void)fprintf(homi_out, "# %s:%d: " format "\n", __FILE__, __LINE__, is, want)))
#define CHECK_INT(is, want) homi_int(__FILE__, __LINE__, #is, (long long)(is), (long long)(want))
#define CHECK_UINT(is, want) homi_uint(__FILE__, __LINE__, #is, (unsigned long long)(is), (unsigned long long)(want))
#define CHECK_FLOAT(is, want) homi_float(__FILE__, __LINE__, #is, (double)(is), (double)(want))
#define CHECK_BYTES(is, want, size)                                                                \
  HOMI_CHECK(memcmp((is), (want), (size)) == 0, "%s has other bytes than %s", #is, #want)
#define CHECK_TEXT(is, want)                                                                       \
  HOMI_CHECK(strcmp((const char *)(is), (want)) == 0, "%s is not %s", #is, #want)
#define CHECK_SAME(is, want)                                                                       \
  HOMI_CHECK((const void *)(is) == (const void *)(want), "%s is not %s", #is, #want)
#define CHECK_NULL(is) HOMI_CHECK((is) == NULL, "%s is %s", #is, "not null")
#define CHECK_NOT_NULL(is) HOMI_CHECK((is) != NULL, "%s is %s", #is, "null")

static inline void homi_int(const char *file, int line, const char *text, long long is, long long want) {
  if (is == want) return;
  homi_failed = 1;
  fprintf(homi_out, "# %s:%d: %s is %lld, expected %lld\n", file, line, text, is, want);
}

static inline void homi_uint(const char *file, int line, const char *text, unsigned long long is,
                             unsigned long long want) {
  if (is == want) return;
  homi_failed = 1;
  fprintf(homi_out, "# %s:%d: %s is %llu, expected %llu\n", file, line, text, is, want);
}

static inline void homi_float(const char *file, int line, const char *text, double is, double want) {
  if (is == want || (is != is && want != want)) return;
  homi_failed = 1;
  fprintf(homi_out, "# %s:%d: %s is %a, expected %a\n", file, line, text, is, want);
}
#endif

#define HOMI_RETURNED 42 /* exit status of a case that came to its end */

/* Runs a case in a process of its own, without its output. True if all of its checks hold. */
static inline int homi_try(const struct homi_case *one) {
  int status = 0, null = open("/dev/null", O_RDWR);
  pid_t child;
  fflush(NULL);
  child = fork();
  if (child < 0 || null < 0) exit(99);
  if (child == 0) {
    /* Frameworks catch these signals in order to go on with the next test. */
    static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    for (size_t i = 0; !HOMI_SANITIZED && i < sizeof fatal / sizeof fatal[0]; i++) signal(fatal[i], SIG_DFL);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    alarm(10);
    one->run();
    fflush(homi_out);
    _exit(homi_failed ? 1 : HOMI_RETURNED);
  }
  close(null);
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) fprintf(homi_out, "# it ends by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == HOMI_RETURNED;
}

static inline int homi_main(int argc, char **argv, const struct homi_case *cases, int count) {
  int number = 0, failed = 0;
  homi_out = fdopen(dup(1), "w");
  if (!homi_out) return 99;
#ifdef HOMI_RECORD
  for (int i = 0; i < count; i++)
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) {
      homi_out = freopen("homi-record", "w", homi_out);
      if (!homi_out) return 99;
      cases[i].run();
      fprintf(homi_out, "end\n");
      fflush(homi_out);
      _exit(0);
    }
  return 99;
#endif
  if (argc == 2 && !strcmp(argv[1], "--list")) {
    for (int i = 0; i < count; i++) puts(cases[i].name);
    return 0;
  }
  fprintf(homi_out, "1..%d\n", argc > 1 ? argc - 1 : count);
  for (int i = 0; i < count; i++) {
    const struct homi_case *one = &cases[i];
    int wanted = argc == 1, passes;
    for (int j = 1; j < argc; j++) wanted |= !strcmp(argv[j], one->name);
    if (!wanted) continue;
    number++;
    if (one->kind == HOMI_SANITIZER_BUG && !HOMI_SANITIZED) {
      fprintf(homi_out, "ok %d - %s # SKIP only a sanitizer shows it\n", number, one->name);
      continue;
    }
    passes = homi_try(one);
    failed |= !passes && one->kind == HOMI_PASSES;
    fprintf(homi_out, "%s %d - %s%s%s\n", passes ? "ok" : "not ok", number, one->name,
            one->kind == HOMI_PASSES ? "" : " # TODO ", one->kind == HOMI_PASSES ? "" : one->about);
  }
  fflush(homi_out);
  return failed;
}

#define HOMI_MAIN(cases)                                                                           \
  int main(int argc, char **argv) { return homi_main(argc, argv, cases, (int)(sizeof cases / sizeof cases[0])); }

#endif

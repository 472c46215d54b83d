/* setjmp in all forms: out of nested handlers, out of signal handlers, with volatile locals, with masks; computed goto, VLAs, alloca in loops. */
#include <alloca.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* Exceptions with a stack of handlers, as in many C libraries. */
struct handler { jmp_buf place; struct handler *outer; int line; const char *what; };
static struct handler *handlers; static int depth;
static _Noreturn void throw_(const char *what, int line) { struct handler *h = handlers; if (!h) { printf("nobody catches %s\n", what); exit(9); } handlers = h->outer; h->what = what; h->line = line; longjmp(h->place, line); }
#define TRY for (struct handler h_ = {.outer = handlers}, *once_ = (handlers = &h_, &h_); once_; once_ = 0) if (setjmp(h_.place) == 0) { 
#define CATCH(name) handlers = h_.outer; } else { const char *name = h_.what; int line_ = h_.line; (void)line_;
#define END }
static int parse(const char *s, int level) {
  if (*s == '!') throw_("bad character", level * 10 + 1);
  if (level > 6) throw_("too deep", 7);
  if (!*s) return level;
  int r = 0;
  TRY r = parse(s + 1, level + 1); if (*s == '(') throw_("unbalanced", 3); CATCH(what) printf("  level %d caught %s\n", level, what); if (line_ == 3 && level) throw_(what, 4); r = -level; END
  return r + 1;
}
static sigjmp_buf signal_place; static volatile sig_atomic_t signals;
static void on_signal(int s) { signals++; siglongjmp(signal_place, s); }
static void on_signal_nested(int s) { signals += 10; if (s == SIGUSR1) raise(SIGUSR2); else siglongjmp(signal_place, 100 + s); }
static void by_signals(void) {
  struct sigaction act = {.sa_handler = on_signal}; sigset_t now; sigaction(SIGUSR1, &act, 0); sigaction(SIGFPE, &act, 0);
  for (volatile int save = 0; save < 2; save++) {
    int r = sigsetjmp(signal_place, save);
    if (r == 0) { raise(SIGUSR1); puts("never"); }
    sigprocmask(SIG_SETMASK, 0, &now); printf("%d %d blocked %d\n", r, (int)signals, sigismember(&now, SIGUSR1)); sigemptyset(&now); sigprocmask(SIG_SETMASK, &now, 0);
  }
  act.sa_handler = on_signal_nested; sigaction(SIGUSR1, &act, 0); sigaction(SIGUSR2, &act, 0);
  int r = sigsetjmp(signal_place, 1); if (!r) raise(SIGUSR1); printf("%d %d\n", r, (int)signals);
  static char other_stack[65536]; stack_t st = {.ss_sp = other_stack, .ss_size = sizeof other_stack}, old; sigaltstack(&st, 0); act.sa_flags = SA_ONSTACK; act.sa_handler = on_signal; sigaction(SIGUSR1, &act, 0);
  r = sigsetjmp(signal_place, 1); if (!r) raise(SIGUSR1); sigaltstack(0, &old); printf("%d %d %d\n", r, old.ss_size == sizeof other_stack, old.ss_flags);
}
static int machine(const char *code) {
  static const void *const jump[256] = {['+'] = &&plus, ['-'] = &&minus, ['*'] = &&times, ['d'] = &&dup, ['['] = &&open, [']'] = &&close, ['p'] = &&print, [0] = &&stop};
  long stack[32]; int sp = 0; const char *loops[8]; int lp = 0;
#define NEXT do { const void *to = jump[(unsigned char)*code++]; if (!to) goto digit; goto *to; } while (0)
  NEXT;
digit: stack[sp++] = code[-1] - '0'; NEXT;
plus: sp--; stack[sp - 1] += stack[sp]; NEXT;
minus: sp--; stack[sp - 1] -= stack[sp]; NEXT;
times: sp--; stack[sp - 1] *= stack[sp]; NEXT;
dup: stack[sp] = stack[sp - 1]; sp++; NEXT;
open: loops[lp++] = code; NEXT;
close: if (stack[sp - 1]) code = loops[lp - 1]; else lp--; NEXT;
print: printf("%ld ", stack[sp - 1]); NEXT;
stop: printf("\n"); return sp;
}
static long arrays(int n, int m) {
  long s = 0; int grid[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) grid[i][j] = i * m + j;
  for (int i = 1; i < n; i++) { char text[i * 2]; memset(text, 'a' + i, sizeof text); s += text[i] + (long)sizeof text; if (i == 5) continue; int (*row)[m] = &grid[i]; s += (*row)[m - 1]; char *more = alloca(i * 8); memset(more, i, i * 8); s += more[i * 8 - 1]; }
  _Alignas(64) char aligned[33]; char *big = __builtin_alloca_with_align(100, 512); s += ((unsigned long)aligned & 63) + ((unsigned long)big & 63); again: { int k[m]; k[m - 1] = n--; s += k[m - 1]; } if (n > 2) goto again;
  return s + (long)sizeof(grid[0]);
}
static jmp_buf loop_place; static int tries;
static void retry(void) { if (++tries < 5) longjmp(loop_place, tries); }
int main(void) {
  printf("%d\n", parse("abc", 0)); printf("%d\n", parse("ab!", 0)); printf("%d\n", parse("(((", 0)); printf("%d\n", parse("abcdefghij", 0));
  volatile int kept = 1; int r = setjmp(loop_place); kept *= 2; retry(); printf("%d %d %d\n", r, kept, tries);
  r = _setjmp(loop_place); if (r < 3) _longjmp(loop_place, r + 1); printf("%d\n", r);
  by_signals();
  printf("%d\n", machine("5d*p3-p9[1-p]")); printf("%ld\n", arrays(9, 7));
  if (setjmp(loop_place) == 0) longjmp(loop_place, 0); else puts("zero becomes one");
  int level = 0; TRY throw_("outermost", 1); CATCH(w) printf("%s\n", w); level++; END printf("%d\n", level);
  throw_("the end", 2);
}

/* Old and rare functions of many families: catalogues, money, messages, tables of mounts, lists of directories,
 * terminals, signals of old, names of files for a moment, wide characters of a locale. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <mntent.h>
#include <monetary.h>
#include <nl_types.h>
#include <pty.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <ulimit.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "show.h"

static void locales(void) {
  locale_t c = newlocale(LC_ALL_MASK, "C", NULL);
  SHOW(newlocale(LC_ALL_MASK, "no such locale", NULL) == NULL), SHOW(errno), SHOW(newlocale(LC_ALL_MASK, "xx", NULL) == NULL), SHOW(newlocale(LC_ALL_MASK, "a/b", NULL) == NULL);
  SHOW_TEXT(setlocale(LC_ALL, "nowhere")), SHOW_TEXT(setlocale(LC_ALL, NULL)), SHOW_TEXT(setlocale(LC_CTYPE, "C.UTF-8")), SHOW_TEXT(setlocale(LC_ALL, NULL)), SHOW_TEXT(setlocale(LC_NUMERIC, "POSIX")), SHOW_TEXT(setlocale(LC_TIME, "C.UTF-8")), SHOW_TEXT(setlocale(LC_TIME, NULL)), SHOW_TEXT(setlocale(LC_PAPER, "C")), SHOW_TEXT(setlocale(77, "C"));
  char saved[400];
  strcpy(saved, setlocale(LC_ALL, NULL)), SHOW_TEXT(setlocale(LC_ALL, "C.UTF-8")), SHOW_TEXT(setlocale(LC_ALL, "C")), SHOW(strcmp(setlocale(LC_ALL, saved), saved)), SHOW(MB_CUR_MAX), SHOW_TEXT(setlocale(LC_ALL, "LC_CTYPE=C;nonsense")), SHOW_TEXT(setlocale(LC_ALL, "")), SHOW(MB_CUR_MAX);
  for (wint_t w = 0; w < 128; w += 7)
    printf("%d%d%d%d%d%d%d%d%d%d%d%d ", !!iswalnum_l(w, c), !!iswalpha_l(w, c), !!iswblank_l(w, c), !!iswcntrl_l(w, c), !!iswdigit_l(w, c), !!iswgraph_l(w, c), !!iswlower_l(w, c), !!iswprint_l(w, c), !!iswpunct_l(w, c), !!iswspace_l(w, c), !!iswupper_l(w, c), !!iswxdigit_l(w, c));
  printf("\n");
  SHOW_TEXT(dngettext("d", "one", "many", 1)), SHOW_TEXT(dngettext("d", "one", "many", 3)), SHOW_TEXT(bindtextdomain("d", "/usr/share")), SHOW_TEXT(bindtextdomain("d", NULL)), SHOW_TEXT(bind_textdomain_codeset("e", NULL)), SHOW_TEXT(textdomain(NULL));
  SHOW(catopen("none", 0) == (nl_catd)-1), SHOW(errno == ENOENT), freelocale(c);
  char text[60];
  SHOW(strfmon(text, sizeof text, "%n", 1234.567)), SHOW_TEXT(text), SHOW(strfmon(text, sizeof text, "[%^!10.1n] [%-9n] [%=*#6n] [%#3n]", -9.25, 3.5, 12.0, -4.0)), SHOW_TEXT(text), SHOW(strfmon(text, 3, "%n", 1234.567)), SHOW(strfmon(text, sizeof text, "%% %i", 5.0)), SHOW_TEXT(text);
}

static void tables(void) {
  FILE *f = setmntent("mounts", "w+");
  struct mntent entry = {"/dev/sda1", "/mnt/a b", "ext4", "rw,noatime", 1, 2}, *got, found;
  char buffer[200];
  SHOW(addmntent(f, &entry)), fputs("# comment\nproc /proc proc defaults\n", f), rewind(f);
  got = getmntent(f);
  printf("%s %s %s %s %d %d\n", got->mnt_fsname, got->mnt_dir, got->mnt_type, got->mnt_opts, got->mnt_freq, got->mnt_passno);
  got = getmntent_r(f, &found, buffer, sizeof buffer), printf("%s %s %d\n", got->mnt_dir, got->mnt_opts, got->mnt_freq), SHOW(getmntent(f) == NULL), SHOW(endmntent(f));
  struct dirent entry_space, *read;
  DIR *directory = opendir("sub");
  int names = 0;
  while (readdir_r(directory, &entry_space, &read) == 0 && read) names += read->d_name[0] != 0;
  SHOW(names), closedir(directory);
  SHOW(setlogmask(LOG_UPTO(LOG_ERR))), SHOW(setlogmask(0)), openlog("leftovers", LOG_PID, LOG_USER), syslog(LOG_DEBUG, "not sent"), closelog();
}

static void terminals(void) {
  struct winsize size;
  int leader, follower;
  char name[32];
  CALL(tcflow(0, TCOON)), CALL(tcgetsid(0)), CALL(tcsetpgrp(0, getpgrp())), CALL(tcgetpgrp(0)), SHOW(ttyname_r(0, name, sizeof name)), CALL(isatty(0)), SHOW(ptsname_r(0, name, sizeof name)), CALL(grantpt(77)), CALL(unlockpt(77));
}

static volatile int caught;
static void catch(int number) { caught += number; }

static void old_signals(void) {
  sigset_t set;
  SHOW(sigset(SIGUSR1, catch) == SIG_DFL), raise(SIGUSR1), SHOW(caught == SIGUSR1), SHOW(sighold(SIGUSR1)), raise(SIGUSR1), SHOW(caught == SIGUSR1), SHOW(sigrelse(SIGUSR1)), SHOW(caught == 2 * SIGUSR1), SHOW(sigignore(SIGUSR2)), raise(SIGUSR2), SHOW(siginterrupt(SIGUSR1, 1)), SHOW(siginterrupt(99, 1));
  sighold(SIGUSR1), raise(SIGUSR1), SHOW(sigpause(SIGUSR1)), SHOW(caught == 3 * SIGUSR1), SHOW(sigset(SIGUSR1, SIG_HOLD) == SIG_HOLD), SHOW(sigset(SIGUSR1, SIG_DFL) == SIG_HOLD), SHOW(sigblock(sigmask(SIGINT)) & sigmask(SIGINT)), SHOW(siggetmask() & sigmask(SIGINT)), SHOW(sigsetmask(0)), SHOW(siggetmask());
  siginfo_t information = {.si_signo = SIGSEGV, .si_code = SEGV_MAPERR};
  fflush(stdout);
}

static void files(void) {
  char name[] = "nameXXXXXX", suffixed[] = "nameXXXXXX.txt", bad[] = "nameXXX";
  struct statvfs about;
  unsigned char resident[1];
  int event;
  SHOW(strlen(mktemp(name))), SHOW(access(name, F_OK)), SHOW(mkostemps(suffixed, 4, O_CLOEXEC) > 2), SHOW_TEXT(strrchr(suffixed, '.')), CALL(mkstemp(bad)), SHOW(mkdtemp(bad) == NULL), SHOW(lchmod("host.txt", 0600) == 0), CALL(posix_fallocate(77, 0, 1)), SHOW(statvfs(".", &about)), SHOW(about.f_namemax);
  CALL(fcntl64(0, F_GETFD)), SHOW(renameat2(AT_FDCWD, "host.txt", AT_FDCWD, "moved", 1)), CALL(renameat2(AT_FDCWD, "moved", AT_FDCWD, "sub", 1)), CALL(access("moved", R_OK)), CALL(close_range(50, 60, 0)), closefrom(40), CALL(mlockall(99)), CALL(munlockall()), CALL(readahead(77, 0, 1)), CALL(sync_file_range(77, 0, 1, 0)), CALL(memfd_create("m", 0x100)), CALL(remap_file_pages(0, 0, 0, 0, 0));
  char list[] = "size=5,unknown=7,ro", *options = list, *value, *const known[] = {"ro", "size", NULL};
  while (*options) SHOW(getsubopt(&options, known, &value)), SHOW_TEXT(value);
  CALL(dup3(0, 30, 1)), CALL(dup3(0, 30, O_CLOEXEC)), CALL(dup3(0, 0, 0));
  FILE *f = fopen("lines", "w+");
  fputs("12 34", f), __fpurge(f), SHOW(ftell(f)), fclose(f);
  SHOW(swprintf((wchar_t[9]){0}, 9, L"%d", 5)), SHOW(getdtablesize() > 2), SHOW(getlogin() == getlogin()), SHOW(ulimit(1) >= 0 || 1), SHOW(isatty(77)), CALL(getdomainname((char[70]){0}, 70)), SHOW(strlen(cuserid(NULL) ? "" : "") == 0);
  struct tm parsed;
  SHOW(getdate("1 Jan 2000") == NULL), SHOW(getdate_err), SHOW(error_message_count), error_one_per_line = 1, error_at_line(0, 0, "f.c", 3, "first"), error_at_line(0, 0, "f.c", 3, "again"), error_at_line(0, ENOENT, "f.c", 4, "%s", "third"), SHOW(error_message_count);
  SHOW(mallopt(M_TRIM_THRESHOLD, 1 << 20)), SHOW(mallinfo2().arena >= 0), SHOW(lcong48 != NULL);
}

int main(void) {
  setbuf(stdout, NULL);
  locales(), tables(), terminals(), old_signals(), files();
  static const char *const tiny_texts[] = {"2.2e-45", "2.8e-45", "1.1754942e-38", "5.8774717e-39", "0x1p-149", "0x1.8p-149", "0x1.8p-150", "1.17549435e-38"};
  for (unsigned i = 0; i < sizeof tiny_texts / sizeof *tiny_texts; i++) errno = 0, printf("%s %a", tiny_texts[i], strtof(tiny_texts[i], NULL)), printf(" %d\n", errno);
  volatile double least = 4.9406564584124654e-324, small = 1e-310, plain = 10.1;
  volatile long double ten = 10.1L, tiny = 3.6e-4951L, one = 1, edge = 15.99L;
  printf("%a %a %a %.3a %.0a %A\n", least, small, plain, small, plain, least);
  printf("%La %La %La %La %.2La %.0La %.0La %LA\n", ten, tiny, one, 0.0L, ten, ten, edge, ten);
  return 0;
}

"""Calls of streams, files and the kernel, by family, as forms of `call_programs`."""

FORMS: dict[str, list[str]] = {
    "streams": [
        """FILE *f = fopen("s1", @any{const char *:"w"|"r"|"a+"|"wx"|"r+"|"q"|"w+b"|"we"}); A(f ? 0 : -1); if (f) { E(fputs("ab", f)); E(fgetc(f)); E(fseek(f, @any{long:0|1|-1|5}, @word{SEEK_SET|SEEK_CUR|SEEK_END|7})); E(ftell(f)); S(!!feof(f)); S(!!ferror(f)); S(fclose(f)); }""",
        """FILE *f = fopen("s2", "w+"); fputs(@text{abc1_}, f); rewind(f); S(ungetc(@byte{}, f)); S(fgetc(f)); S(ungetc('q', f)); E(ftell(f)); S(fgetc(f)); S(fgetc(f)); S(!!feof(f)); fclose(f);""",
        """FILE *f = fopen("s3", "w+"); fputs("one\\ntwo\\n\\nx", f); fseek(f, @up{10}, SEEK_SET); T(fgets(buf, @any{int:1|2|5|50}, f)); char *p = 0; size_t n = 0; E2(d, getdelim(&p, &n, @word{'\\n'|'o'|-1|0}, f)); S(d); if (d >= 0) T(p); S(ftell(f)); free(p); fclose(f);""",
        """FILE *f = fopen("s4", "w+"); S(setvbuf(f, 0, @word{_IOFBF|_IOLBF|_IONBF|9}, @any{size_t:0|1|16})); S(fwrite("abcdef", @word{2|3|0}, @one{4} % 2 + 1, f)); S(ftell(f)); struct stat s; fstat(fileno(f), &s); S(s.st_size); fflush(f); fstat(fileno(f), &s); S(s.st_size); rewind(f); S(fread(buf, 2, @up{4}, f)); fclose(f);""",
        """char m[8] = "abcd"; FILE *f = fmemopen(@word{m|m|0}, @any{size_t:8|4|1|3}, "@word{r|w|a|r+|w+|a+|rb}"); A(f ? 0 : -1); if (f) { E(ftell(f)); S(fgetc(f)); E(fseek(f, @word{0|2|-1}, @word{SEEK_END|SEEK_SET})); E(fputs("xy", f)); E(fflush(f)); E(ftell(f)); S(fclose(f)); } bytes("m", m, 8);""",
        """char *p = 0; size_t n = 9; FILE *f = open_memstream(&p, &n); fputs(@text{abc}, f); fflush(f); S(n); T(p); E(fseek(f, @any{long:0|1|5|-1}, @word{SEEK_SET|SEEK_CUR|SEEK_END})); fputc('z', f); E(ftell(f)); fclose(f); S(n); bytes("p", p, n); free(p);""",
        """FILE *f = fopen("s5", "w+"); fputs("12 ab", f); f = freopen(@word{"s5"|0|"none/x"|"s6"}, "@word{r|w|a|r+}", f); A(f ? 0 : -1); if (f) { S(fgetc(f)); E(fputc('n', f)); S(ftell(f)); fclose(f); } S(@byte{} & 1);""",
        """FILE *f = fopen("s7", "w+"); S(fwide(f, @any{int:0|1|-1})); S(fputwc(@any{wchar_t:65|0xe4|0x20ac|0x110000}, f)); E(fputc('x', f)); S(fwide(f, 0) > 0); S(!!ferror(f)); rewind(f); S(fgetwc(f)); S(ungetwc(0xe4, f)); S(fgetwc(f)); fclose(f);""",
        """FILE *f = fopen("s8", "w+"); fputc(@byte{}, f); fputs("\\244b", f); rewind(f); A(fgetwc(f)); A(fgetwc(f)); S(!!ferror(f)); S(!!feof(f)); fclose(f);""",
        """int d = open("s9", O_RDWR | O_CREAT, 0644); FILE *f = fdopen(d, "@word{r|w|a|r+|x}"); A(f ? 0 : -1); if (f) { E(fprintf(f, "%d", @byte{})); E(fgetc(f)); S(fclose(f)); } S(fcntl(d, F_GETFD));""",
        """E(remove(@word{"none"|"."|"rr"|""})); E(rename("none", @word{"x"|""})); mkdir("rr", 0700); E(remove("rr")); E(dprintf(@word{1|-1|99}, "%s|\\n", @text{ab})); errno = @one{4}; perror(@word{"p"|""|0});""",
        """FILE *f = fopen("s10", "w"); S(fgetc(f)); S(!!ferror(f)); clearerr(f); S(!!ferror(f)); E(fflush(f)); S(putw(@number{}, f)); S(ftell(f)); fpos_t p; S(fgetpos(f, &p)); S(fsetpos(f, &p)); S(ftruncate(fileno(f), @up{5})); fclose(f);""",
        """#include <stdio_ext.h>
        FILE *f = fopen("s11", "@word{w+|r|w|a+}"); if (f) { S(!!__freading(f)); S(!!__fwriting(f)); S(!!__freadable(f)); fputs(@text{abc}, f); S(__fpending(f)); __fpurge(f); S(__fpending(f)); S(ftell(f)); S(!!__flbf(f)); fclose(f); }""",
        """FILE *f = fopen("s12", "w+"); fputs("abc", f); fseek(f, @up{5}, SEEK_SET); S(fputc('Z', f)); rewind(f); memset(buf, 0, 9); S(fread(buf, 1, 9, f)); bytes("buf", buf, 9); S(fgetc(f)); S(!!feof(f)); fseek(f, 0, SEEK_CUR); S(!!feof(f)); fclose(f);""",
        """TOP static ssize_t reads(void *c, char *b, size_t n) { int *k = c; if (*k <= 0) return *k; --*k; *b = 'r'; return 1; }
        TOP static ssize_t writes(void *c, const char *b, size_t n) { show("writes", n); return n; }
        int k = @any{int:0|1|3|-1}; FILE *f = fopencookie(&k, "r+", (cookie_io_functions_t){.read = reads, .write = writes}); S(fgetc(f)); S(fgetc(f)); S(!!feof(f)); S(!!ferror(f)); E(fseek(f, 0, SEEK_SET)); E(fputs("w", f)); E(fclose(f));""",
    ],
    "files": [
        """E2(d, open("f1", @word{O_RDWR|O_RDONLY|O_WRONLY} | @any{int:0|O_CREAT|O_CREAT + O_EXCL|O_CREAT + O_APPEND|O_DIRECTORY|O_TMPFILE}, 0640)); E(write(d, "abcdef", @up{7})); E(lseek(d, @any{long:0|-1|2|100}, @word{SEEK_SET|SEEK_CUR|SEEK_END|SEEK_DATA|SEEK_HOLE|9})); E(read(d, buf, 3)); E(close(d));""",
        """int d = open("f2", O_RDWR + O_CREAT, 0644); write(d, "abcdef", 6); E(ftruncate(d, @any{off_t:0|3|9|-1})); E(pread(d, buf, 4, @any{off_t:0|2|6|-1})); E(pwrite(d, "Z", 1, @up{9})); struct stat s; fstat(d, &s); S(s.st_size); S(s.st_mode); S(s.st_nlink);""",
        """umask(@any{int:0|022|0777}); E(mkdir("d1", @word{0777|01755|0})); E(mkdir("d1", 0)); struct stat s; stat("d1", &s); S(s.st_mode); E(rmdir(@word{"d1"|"d1/."|"none"|"d1/.."})); E(unlink("d1")); umask(022); S(@byte{} & 1);""",
        """close(creat("f3", 0644)); E(link("f3", @word{"f4"|"f3"|"none/x"|""})); E(symlink(@text{f3/.}, "l1")); memset(buf, 0, 20); E(readlink("l1", buf, @any{size_t:0|1|9})); T(buf); E(open("l1", O_RDONLY | O_NOFOLLOW)); struct stat s; S(lstat("l1", &s)); S(s.st_size);""",
        """close(creat("f5", 0644)); mkdir("d2", 0755); E(rename(@any{const char *:"f5"|"d2"|"none"}, @word{"d2"|"f5"|"d2/x"|"f6/"})); E(access(@any{const char *:"f5"|"d2"|"d2/x"|"f5/"}, @word{F_OK|R_OK|X_OK|99})); E(unlink("@word{d2|f5/|d2/x}")); S(@byte{} & 1);""",
        """int d = open("f7", O_RDWR | O_CREAT, 0644); E(dup2(d, @any{int:7|-1|3|1000000})); E(fcntl(d, @word{F_GETFL|F_GETFD|F_DUPFD|F_DUPFD_CLOEXEC|F_SETFD|99}, @any{int:0|1|20|-1})); E(dup3(d, d, 0)); E(fcntl(d, F_SETFL, @word{O_APPEND|O_NONBLOCK})); S(fcntl(d, F_GETFL)); E(close(@any{int:7|99|-1}));""",
        """#include <dirent.h>
        mkdir("d3", 0755); close(creat("d3/b", 0644)); close(creat("d3/a", 0644)); mkdir("d3/c", 0700); struct dirent **v; E2(n, scandir(@any{const char *:"d3"|"none"|"d3/a"}, &v, 0, alphasort)); for (int i = 0; i < n; i++) { T(v[i]->d_name); S(v[i]->d_type); } DIR *p = opendir("d3"); S(p != 0); if (p) { E(dirfd(p) >= 0); closedir(p); }""",
        """close(creat("f8", 0644)); E(chmod("f8", @any{mode_t:0|07777|0600|0170000})); struct stat s; stat("f8", &s); S(s.st_mode); E(truncate("f8", @up{9})); E(chown("f8", -1, -1)); struct timespec t[2] = {{@any{long:0|5|-1|1e9}, @any{long:0|999999999|1000000000|UTIME_OMIT}}, {7, 8}}; E(utimensat(AT_FDCWD, "f8", t, 0)); stat("f8", &s); S(s.st_mtim.tv_sec == 7);""",
        """mkdir("d4", 0755); E(chdir(@any{const char *:"d4"|"none"|"d4/"|""})); close(creat("x", 0644)); E(faccessat(AT_FDCWD, "../d4/x", F_OK, 0)); char *p = realpath("@word{../d4/./x|none|x/..|.|../d4//x/}", 0); A(p ? 0 : -1); S(p ? strlen(strrchr(p, '/')) : 0); free(p);""",
        """#include <sys/uio.h>
        int d = open("f9", O_RDWR | O_CREAT, 0644); char a[3], b[4]; struct iovec v[] = {{"ab", 2}, {"cdef", @up{5}}}; E(writev(d, v, @any{int:0|1|2|-1})); struct iovec w[] = {{a, 3}, {b, 4}}; E(preadv(d, w, 2, @up{3})); E(posix_fallocate(d, @word{0|-1|5}, @any{off_t:0|8|-1})); E(fallocate(d, @word{0|FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE}, 0, 9)); struct stat s; fstat(d, &s); S(s.st_size);""",
        """#include <sys/file.h>
        int d = open("f10", O_RDWR | O_CREAT, 0644), e = open("f10", O_RDWR); E(flock(d, @word{LOCK_EX|LOCK_SH})); E(flock(e, @word{LOCK_EX|LOCK_SH|LOCK_UN} | LOCK_NB)); struct flock k = {.l_type = @any{int:F_RDLCK|F_WRLCK|F_UNLCK|9}, .l_whence = SEEK_SET, .l_start = @any{int:0|-1|5}}; E(fcntl(d, @word{F_SETLK|F_GETLK|F_OFD_SETLK|F_OFD_GETLK}, &k)); S(k.l_type); E(lockf(e, @word{F_TEST|F_TLOCK|F_ULOCK|77}, 3));""",
        """#include <ftw.h>
        TOP static int each(const char *p, const struct stat *s, int t, struct FTW *w) { show(p, t * 10 + w->level); return strchr(p, 'z') != 0; }
        mkdir("d5", 0755); mkdir("d5/k", 0755); symlink("none", "d5/k/l"); close(creat("d5/k/@word{a|z}", 0644)); E(nftw(@any{const char *:"d5"|"none"|"d5/k/a"}, each, 5, @word{0|FTW_PHYS|FTW_DEPTH|FTW_DEPTH | FTW_PHYS}));""",
        """strcpy(buf, "@word{tXXXXXX|tXXXXX|XXXXXX.c|t}"); A(@word{mkstemp(buf) < 0|mkstemps(buf, 2) < 0|mkdtemp(buf) == 0|mkostemp(buf, O_APPEND) < 0}); S(strlen(buf)); S(buf[0] == 't'); S(@byte{} & 1);""",
        """#include <sys/xattr.h>
        close(creat("f11", 0644)); E(mkfifo("p1", 0600)); E(mknod("n1", S_IFREG | 0600, 0)); struct stat s; stat("p1", &s); S(s.st_mode); E(open("p1", O_WRONLY | O_NONBLOCK)); E(getxattr("f11", "user.@word{a|b}", buf, 9)); E(open("f11/@word{x|}", O_RDONLY)); S(@byte{} & 1);""",
        """#include <sys/ioctl.h>
        int n = -1, d = open("f12", O_RDWR | O_CREAT, 0644); write(d, "abc", 3); lseek(d, @up{5}, SEEK_SET); E(ioctl(d, @word{FIONREAD|TIOCGWINSZ|FIOCLEX|0x1234}, &n)); A(isatty(@any{int:0|99})); E(fsync(d)); E(fdatasync(99)); E(posix_fadvise(d, 0, 0, @word{POSIX_FADV_RANDOM|77})); E(copy_file_range(d, 0, d, 0, 0, 0));""",
        """close(creat("f13", 0644)); E(@word{renameat2(AT_FDCWD, "f13", AT_FDCWD, "f13", 1)|linkat(AT_FDCWD, "f13", AT_FDCWD, "f14", 99)|unlinkat(AT_FDCWD, "f13", AT_REMOVEDIR)|mkdirat(99, "x", 0)|symlinkat("", AT_FDCWD, "s")|fchmodat(AT_FDCWD, "f13", 0600, AT_SYMLINK_NOFOLLOW)|openat(99, "f13", 0)|openat(1, "f13", 0)|fstatat(AT_FDCWD, "", (void *)buf, AT_EMPTY_PATH)|open("", 0)|open("f13/", O_CREAT, 0600)|mkdir("f13/x", 0)|open(".", O_WRONLY)|readlink("f13", buf, 9)|read(1000, buf, 1)|creat(".", 0)|truncate(".", 0)|getdents64(99, buf, 9)}); S(@byte{} & 1);""",
    ],
    "pipes": [
        """#include <poll.h>
        int p[2]; S(pipe2(p, @word{0|O_NONBLOCK|O_CLOEXEC})); E(write(p[1], "abcdef", @up{6} + 1)); if (@one{2}) close(p[1]); struct pollfd q = {p[0], POLLIN | POLLOUT, 0}; E(poll(&q, 1, 0)); S(q.revents); E(read(p[0], buf, @up{9} + 1)); S(poll(&q, 1, 0)); S(q.revents);""",
        """signal(SIGPIPE, SIG_IGN); int p[2]; pipe2(p, O_NONBLOCK); E(read(p[0], buf, @up{3})); E(read(p[1], buf, 1)); E(write(p[0], "x", 1)); if (@one{2}) close(p[0]); E(write(p[1], "xy", @up{3})); E(lseek(p[1], 0, SEEK_CUR)); E(fcntl(p[1], F_GETPIPE_SZ));""",
        """#include <sys/socket.h>
        int p[2]; E2(d, socketpair(@word{AF_UNIX|AF_INET}, @word{SOCK_STREAM|SOCK_DGRAM|SOCK_SEQPACKET|99}, 0, p)); if (d >= 0) { E(send(p[0], "abcd", @up{5}, 0)); E(send(p[0], "ef", 2, 0)); E(recv(p[1], buf, @any{size_t:1|3|9}, @word{0|MSG_PEEK|MSG_TRUNC|MSG_DONTWAIT})); E(recv(p[1], buf, 9, MSG_DONTWAIT)); E(shutdown(p[0], @word{SHUT_WR|SHUT_RD|9})); E(recv(p[1], buf, 9, MSG_DONTWAIT)); }""",
        """#include <sys/eventfd.h>
        uint64_t n = 7; int d = eventfd(@any{unsigned:0|1|5}, EFD_NONBLOCK | @word{0|EFD_SEMAPHORE}); E(read(d, &n, 8)); S(n); n = @any{uint64_t:0|3|-1|-2}; E(write(d, &n, 8)); E(read(d, &n, @word{8|4|9})); S(n); E(read(d, &n, 8));""",
        """#include <sys/epoll.h>
        int p[2], e = epoll_create1(0); pipe2(p, O_NONBLOCK); struct epoll_event v = {.events = EPOLLIN | @word{0|EPOLLET|EPOLLONESHOT}, .data.u32 = 5}, w[2]; E(epoll_ctl(e, @word{EPOLL_CTL_ADD|EPOLL_CTL_MOD|99}, p[0], &v)); write(p[1], "ab", @up{3}); E(epoll_wait(e, w, 2, 0)); read(p[0], buf, 1); E(epoll_wait(e, w, 2, 0)); if (@one{2}) close(p[1]); int n = epoll_wait(e, w, 2, 0); S(n); if (n > 0) S(w[0].events); E(epoll_wait(e, w, 0, 0)); E(epoll_ctl(e, EPOLL_CTL_DEL, p[1], 0));""",
        """#include <sys/select.h>
        int p[2]; pipe(p); fd_set r, w; FD_ZERO(&r); FD_ZERO(&w); FD_SET(p[0], &r); FD_SET(p[1], &w); write(p[1], "x", @up{2}); if (@one{2}) close(p[1]), FD_CLR(p[1], &w); struct timeval t = {0, 0}; E(select(@any{int:20|0|-1}, &r, &w, 0, &t)); S(!!FD_ISSET(p[0], &r)); S(!!FD_ISSET(p[1], &w));""",
        """#include <sys/ioctl.h>
        int p[2], q[2], n = -1; pipe(p); pipe2(q, O_NONBLOCK); write(p[1], "abcd", @up{5}); E(ioctl(p[0], FIONREAD, &n)); S(n); E(tee(p[0], q[1], @up{6}, SPLICE_F_NONBLOCK)); E(splice(p[0], 0, q[1], 0, 3, SPLICE_F_NONBLOCK)); E(read(q[0], buf, 9)); struct stat s; fstat(p[0], &s); S(s.st_mode & S_IFMT); S(s.st_size);""",
        """#include <sys/timerfd.h>
        int d = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK); struct itimerspec t = {{0, 0}, {@any{long:0|1000|-1}, @word{0|1000000000}}}; E(timerfd_settime(d, 0, &t, 0)); uint64_t n = 0; E(read(d, &n, 8)); timerfd_gettime(d, &t); S(t.it_interval.tv_sec); E(timerfd_create(99, 0)); E(timerfd_create(CLOCK_REALTIME, 5));""",
        """#include <sys/socket.h>
        #include <netinet/in.h>
        A(@word{socket(99, SOCK_STREAM, 0)|listen(0, 1)|getsockname(99, 0, 0)|send(1000, "a", 1, 0)|setsockopt(0, SOL_SOCKET, SO_REUSEADDR, buf, 4)|socket(AF_UNIX, 99, 0)|shutdown(0, 0)|pipe2((int *)buf, 77)|epoll_create1(5)}); S(@byte{} & 1);
        #include <sys/epoll.h>""",
    ],
    "signals": [
        """TOP static volatile sig_atomic_t seen;
        TOP static void on(int s) { seen = seen * 10 + s % 10; }
        S(signal(@any{int:SIGUSR1|SIGTERM|SIGKILL|0|65}, on) == SIG_ERR); signal(SIGUSR1, on); signal(SIGTERM, on); E(raise(@any{int:SIGUSR1|SIGTERM|SIGCHLD|0})); S(seen); E(kill(getpid(), @word{SIGUSR1|0|99})); S(seen); S(signal(SIGUSR1, SIG_DFL) == on);""",
        """TOP static volatile sig_atomic_t seen;
        TOP static void on(int s) { seen = seen * 10 + s % 10; }
        sigset_t s, o; sigemptyset(&s); E(sigaddset(&s, @any{int:SIGUSR1|SIGUSR2|0|65|64})); E(sigprocmask(@word{SIG_BLOCK|SIG_SETMASK|9}, &s, &o)); signal(SIGUSR1, on); signal(SIGUSR2, on); raise(@word{SIGUSR1|SIGUSR2}); S(seen); sigpending(&o); S(sigismember(&o, SIGUSR1)); S(sigismember(&o, SIGUSR2)); sigprocmask(SIG_UNBLOCK, &s, 0); S(seen);""",
        """TOP static volatile sig_atomic_t info;
        TOP static void told(int s, siginfo_t *i, void *c) { info = i->si_code * 100 + i->si_value.sival_int; }
        struct sigaction a = {.sa_sigaction = told, .sa_flags = SA_SIGINFO | @any{int:0|SA_RESETHAND|SA_NODEFER}}, o; E(sigaction(@word{SIGUSR1|SIGRTMIN|SIGKILL}, &a, 0)); sigaction(SIGUSR1, &a, 0); E(sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = @byte{}})); S(info); E(sigaction(SIGUSR1, 0, &o)); S(o.sa_handler == SIG_DFL); S(o.sa_flags & ~0x04000000);""",
        """sigset_t s; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigaddset(&s, SIGRTMIN); sigprocmask(SIG_BLOCK, &s, 0); sigqueue(getpid(), @word{SIGRTMIN|SIGUSR1}, (union sigval){.sival_int = @byte{}}); raise(SIGUSR1); siginfo_t i = {0}; struct timespec t = {0, @any{long:0|1|-1}}; E(sigtimedwait(&s, &i, &t)); S(i.si_value.sival_int); S(i.si_code); E(sigtimedwait(&s, &i, &t)); E(sigtimedwait(&s, &i, &t));""",
        """#include <setjmp.h>
        TOP static sigjmp_buf back;
        TOP static void jump(int s) { siglongjmp(back, s); }
        signal(SIGUSR1, jump); int c = sigsetjmp(back, @word{0|1}); S(c); if (c == 0) raise(SIGUSR1); sigset_t o; sigprocmask(SIG_SETMASK, 0, &o); S(sigismember(&o, SIGUSR1)); S(@byte{} & 1);""",
        """S(alarm(@any{unsigned:0|100|5})); S(alarm(0) > 0); S(@byte{} & 1);""",
        """#include <sys/time.h>
        struct itimerval v = {{0, 0}, {@any{long:0|100|-1}, @word{0|1000000}}}, o = {{1, 1}, {1, 1}}; E(setitimer(@word{ITIMER_REAL|ITIMER_VIRTUAL|9}, &v, 0)); E(setitimer(ITIMER_REAL, 0, &o)); S(o.it_interval.tv_sec); S(o.it_value.tv_sec > 0); S(@byte{} & 1);""",
        """if (@one{3} == 2) { fflush(stdout); @word{raise(SIGTERM)|raise(SIGKILL)|kill(getpid(), SIGUSR2)|_exit(7)|exit(300)|quick_exit(3)|raise(SIGSEGV)|raise(SIGCHLD)}; }""",
        """TOP static void bye(void) { puts("bye"); }
        TOP static void told_of(int s, void *a) { printf("told %d %s\\n", s, (char *)a); }
        atexit(bye); on_exit(told_of, "x"); if (@one{2}) exit(@byte{});""",
        """psignal(@any{int:SIGUSR1|0|99}, @word{"p"|""}); siginfo_t i = {.si_signo = SIGTERM, .si_code = SI_USER}; psiginfo(&i, "q"); S(sigaltstack(&(stack_t){.ss_sp = buf, .ss_size = @any{size_t:1|99999}, .ss_flags = @word{0|SS_DISABLE|77}}, 0)); S(siginterrupt(@any{int:SIGUSR1|99}, 1)); S(SIGRTMIN);""",
    ],
    "memory": [
        """#include <sys/mman.h>
        char *p = mmap(0, @any{size_t:4096|0|1|10000}, @word{PROT_READ | PROT_WRITE|PROT_READ}, @word{MAP_PRIVATE|MAP_SHARED|0} | MAP_ANONYMOUS, @word{-1|99}, 0); A(p == MAP_FAILED); if (p != MAP_FAILED) { S(p[0]); E(msync(p, 4096, @word{MS_SYNC|MS_ASYNC | MS_SYNC})); E(madvise(p, 4096, @word{MADV_NORMAL|999})); E(munmap(p, @word{4096|0})); E(munmap(p + 1, 4096)); }""",
        """#include <sys/mman.h>
        int d = open("m1", O_RDWR + O_CREAT, 0644); write(d, "abcdef", 6); char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, @word{MAP_SHARED|MAP_PRIVATE}, d, @any{off_t:0|1}); A(p == MAP_FAILED); if (p != MAP_FAILED) { S(p[5]); S(p[7]); p[@up{6}] = 'Z'; p[7] = 'q'; E(msync(p, 4096, MS_SYNC)); E(pread(d, buf, 9, 0)); bytes("buf", buf, 6); }""",
        """A(posix_memalign(&(void *){0}, @any{size_t:8|16|3|0|4}, 10)); void *p = aligned_alloc(@any{size_t:16|64|3}, 64); S(p != 0); A(calloc((size_t)-1 / 2, 4) == 0); A(reallocarray(0, (size_t)-1, 2) == 0); A(malloc((size_t)-1) == 0); S(@byte{} & 1);""",
        """char *p = malloc(@up{9} + 1); p = realloc(p, 100); S(p != 0); free(p); p = realloc(0, 4); strcpy(p, "abc"); p = realloc(p, 500); T(p); S(realloc(p, 0) == 0); S(malloc(0) != 0);""",
        """#include <sys/resource.h>
        struct rlimit l; E(getrlimit(@any{int:RLIMIT_CORE|RLIMIT_NOFILE|99|-1}, &l)); l.rlim_cur = 5; l.rlim_max = 4; E(setrlimit(RLIMIT_NOFILE, &l)); l.rlim_max = 50; l.rlim_cur = 20; E(setrlimit(RLIMIT_NOFILE, &l)); E(dup2(0, @any{int:19|20|30})); E(nice(@word{0|1}));""",
        """#include <sys/wait.h>
        E(waitpid(-1, 0, @any{int:0|WNOHANG|99999})); E(wait(0)); E(getsid(@any{int:-1|99999999})); E(setpgid(@word{-1|99999999}, 0)); S(getpgrp() == getpgid(0)); E(ttyname_r(@any{int:0|99}, buf, 9)); S(getppid() == getpid());""",
    ],
    "threads": [
        """#include <pthread.h>
        TOP static void *thread(void *a) { return (char *)a + 1; }
        pthread_t t; S(pthread_create(&t, 0, thread, (void *)(long)@byte{})); void *v = 0; S(pthread_join(t, &v)); S((long)v);""",
        """#include <pthread.h>
        pthread_mutexattr_t a; pthread_mutexattr_init(&a); S(pthread_mutexattr_settype(&a, @any{int:PTHREAD_MUTEX_NORMAL|PTHREAD_MUTEX_RECURSIVE|PTHREAD_MUTEX_ERRORCHECK|9})); pthread_mutex_t m; S(pthread_mutex_init(&m, &a)); S(pthread_mutex_trylock(&m)); S(pthread_mutex_trylock(&m)); S(pthread_mutex_unlock(&m)); S(pthread_mutex_destroy(&m)); S(pthread_mutexattr_setrobust(&a, @word{0|1|7})); S(pthread_mutexattr_setprotocol(&a, @word{0|1|9}));""",
        """#include <pthread.h>
        pthread_attr_t a; S(pthread_attr_init(&a)); S(pthread_attr_setstacksize(&a, @any{size_t:0|16383|16384|99999})); S(pthread_attr_setdetachstate(&a, @any{int:0|1|2})); S(pthread_attr_setscope(&a, @word{0|1|2})); S(pthread_attr_setguardsize(&a, @word{0|5000})); size_t n; S(pthread_attr_getguardsize(&a, &n)); S(n); S(pthread_attr_setinheritsched(&a, @word{0|1|2}));""",
        """#include <semaphore.h>
        sem_t s; E(sem_init(&s, 0, 2147483648u)); E(sem_init(&s, 0, @any{unsigned:0|1|2|2147483647})); E(sem_trywait(&s)); if (@one{2}) E(sem_post(&s)); int v = -1; E(sem_getvalue(&s, &v)); S(v); struct timespec t = {0, @any{long:0|1000000000|-1}}; E(sem_timedwait(&s, &t)); E(sem_trywait(&s));""",
        """#include <pthread.h>
        TOP static pthread_key_t key;
        TOP static void gone(void *v) { printf("gone %ld\\n", (long)v); }
        TOP static void *with_key(void *a) { pthread_setspecific(key, a); return 0; }
        pthread_t t; S(pthread_key_create(&key, gone)); S(pthread_create(&t, 0, with_key, (void *)(long)@up{4})); S(pthread_join(t, 0)); S(pthread_key_delete(key)); S(pthread_key_delete(@any{unsigned:9999|500}));""",
        """#include <pthread.h>
        pthread_rwlock_t l; S(pthread_rwlock_init(&l, 0)); S(@word{pthread_rwlock_rdlock|pthread_rwlock_wrlock}(&l)); S(pthread_rwlock_tryrdlock(&l)); S(pthread_rwlock_trywrlock(&l)); S(pthread_rwlock_unlock(&l)); pthread_barrier_t b; S(pthread_barrier_init(&b, 0, @up{2})); S(pthread_setname_np(pthread_self(), @word{"short"|"a name that is too long"})); memset(buf, 0, 20); S(pthread_getname_np(pthread_self(), buf, @any{size_t:1|16|20}));""",
    ],
}

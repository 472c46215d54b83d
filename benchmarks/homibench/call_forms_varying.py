"""Forms of `call_programs` whose output may change from execution to execution."""

FORMS: dict[str, list[str]] = {
    "clocks": [
        """time_t t = time(0); printf("@word{%ld|now %ld!|%lx}\\n", (long)t); S(@up{4});""",
        """struct timespec t; clock_gettime(@word{CLOCK_REALTIME|CLOCK_MONOTONIC|CLOCK_PROCESS_CPUTIME_ID|CLOCK_BOOTTIME}, &t); printf("%ld.%09ld\\n", t.tv_sec, t.tv_nsec); S(@up{4});""",
        """time_t t = time(0); printf("%s", ctime(&t)); struct tm *m = localtime(&t); strftime(buf, 60, "@word{%c|%T|%F %T|%s|%S}", m); puts(buf); S(@up{3});""",
        """printf("%ld\\n", (long)clock()); printf("%d\\n", (int)(time(0) % 7)); if (@byte{} == 9) puts("nine");""",
        """#include <sys/time.h>
        struct timeval t; gettimeofday(&t, 0); printf("%ld %ld\\n", t.tv_sec, t.tv_usec % @word{10|1000|3}); S(@up{4});""",
        """#include <sys/times.h>
        struct tms m; clock_t c = times(&m); printf("%ld %ld\\n", (long)c, (long)m.tms_utime); S(@up{4});""",
        """FILE *f = fopen("stamp", "w"); fprintf(f, "%ld\\n", (long)time(0)); fclose(f); struct stat s; stat("stamp", &s); printf("%ld\\n", (long)s.st_mtime); S(@up{4});""",
        """if (time(0) % @word{2|3|7} == 0) { puts("even"); } else { puts("odd"); } S(@up{2});""",
    ],
    "numbers of the machine": [
        """printf("@word{%d|pid %d|%x}\\n", (int)@word{getpid|getppid|getpgrp|getsid}(@word{}@word{})); S(@up{4});
        TOP #define getsid() getsid(0)""",
        """printf("%d %d\\n", (int)getuid(), (int)getgid()); S(@up{4});""",
        """snprintf(buf, sizeof buf, "/tmp/x.%d", (int)getpid()); puts(buf); S(@byte{} & 7);""",
        """#include <sys/random.h>
        unsigned char r[4]; getrandom(r, sizeof r, 0); printf("%02x%02x\\n", r[0], r[1]); S(@up{4});""",
        """unsigned char r[4] = {0}; int d = open("/dev/urandom", O_RDONLY); if (read(d, r, 4) == 4) printf("%u\\n", r[0] * 256 + r[2]); close(d); S(@up{4});""",
        """srand(time(0) ^ getpid()); printf("%d\\n", rand() % @word{6|100|2}); S(@up{4});""",
        """printf("%u\\n", arc4random_uniform(@word{10|1000})); S(@up{3});""",
        """#include <sys/utsname.h>
        struct utsname u; uname(&u); printf("%s %s\\n", u.nodename, u.release); S(@up{4});""",
        """#include <sys/resource.h>
        struct rusage u; getrusage(RUSAGE_SELF, &u); printf("%ld %ld\\n", u.ru_maxrss, u.ru_minflt); S(@up{4});""",
        """#include <sys/sysinfo.h>
        struct sysinfo i; sysinfo(&i); printf("%ld %lu\\n", i.uptime, i.freeram); printf("%ld\\n", sysconf(_SC_NPROCESSORS_ONLN)); S(@up{4});""",
        """printf("%s\\n", getcwd(buf, sizeof buf)); S(@up{4});""",
        """struct stat s; stat(".", &s); printf("%lu %lu\\n", (long)s.st_ino, (long)s.st_dev); S(@up{4});""",
        """char t[] = "tXXXXXX"; close(mkstemp(t)); puts(t); unlink(t); S(@up{4});""",
        """printf("%s %d\\n", argv[0], (int)strlen(argv[0])); S(@up{4});""",
    ],
    "addresses": [
        """void *p = malloc(@word{8|100|5000}); printf("%p\\n", p); free(p); S(@up{4});""",
        """int x = 5; printf("%p %p %p\\n", (void *)&x, (void *)buf, (void *)main); S(@up{4});""",
        """printf("%lx\\n", (long)&@word{in|buf|wide} >> @word{0|4|12}); S(@up{4});""",
        """char *p = malloc(10), *q = malloc(10); printf("%d %ld\\n", p < q, (long)(q - p)); free(p); free(q); S(@up{4});""",
        """unsigned h = (unsigned)((unsigned long)buf * 2654435761u) % @word{7|64|2}; printf("%u\\n", h); S(@up{4});""",
        """printf("%p\\n", (void *)@word{printf|malloc|stdout|environ}); S(@up{4});""",
        """int x, y; puts(&x < &y ? "up" : "down"); S(@up{4});""",
        """TOP static int by_address(const void *a, const void *b) { return *(char **)a < *(char **)b ? -1 : 1; }
        char *v[3]; for (int i = 0; i < 3; i++) { v[i] = malloc(20); sprintf(v[i], "%d", i); } qsort(v, 3, sizeof *v, by_address); for (int i = 0; i < 3; i++) puts(v[i]); S(@up{4});""",
        """#include <sys/mman.h>
        void *p = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); printf("%p %p\\n", p, sbrk(0)); S(@up{4});""",
    ],
    "uninitialised": [
        """volatile unsigned char t[@word{4|16|64}]; printf("%02x%02x\\n", t[1], t[3]); S(@up{4});""",
        """unsigned char *p = malloc(40); printf("%u\\n", p[@up{8}]); free(p); S(@up{4});""",
        """volatile int x; printf("%d\\n", x); S(@up{4});""",
        """struct { char c; int i; } s; s.c = 1; s.i = @byte{}; fwrite(&s, sizeof s, 1, stdout); puts("");""",
        """char *p = malloc(20); p[0] = 'a'; p[1] = @byte{}; fwrite(p, 1, 8, stdout); puts(""); free(p);""",
        """int *p = malloc(64); FILE *f = fopen("dump", "w"); fwrite(p, 4, 8, f); fclose(f); free(p); S(@up{4});""",
        """volatile int x; if (x & 4) puts("set"); else puts("clear"); S(@up{3});""",
        """char *p = malloc(100); free(p); p = malloc(100); write(1, p, @up{6} + 1); write(1, "\\n", 1); free(p);""",
    ],
    "order of threads": [
        """#include <pthread.h>
        TOP static void *says(void *a) { printf("thread %ld\\n", (long)a); return 0; }
        pthread_t t[3]; for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, says, (void *)(i + @word{0|5})); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); S(@up{4});""",
        """#include <pthread.h>
        TOP static void *number(void *a) { printf("%lx %d\\n", (long)pthread_self(), gettid()); return 0; }
        pthread_t t; pthread_create(&t, 0, number, 0); pthread_join(t, 0); printf("%lx\\n", (long)pthread_self()); S(@up{4});""",
        """#include <pthread.h>
        TOP static _Atomic int next;
        TOP static void *takes(void *a) { *(int *)a = next++; return 0; }
        int v[2]; pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, takes, &v[i]); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); printf("%d %d\\n", v[0], v[1]); S(@up{4});""",
        """#include <pthread.h>
        TOP static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        TOP static char log_of[20]; static int used;
        TOP static void *logs(void *a) { for (int i = 0; i < 2; i++) { pthread_mutex_lock(&lock); log_of[used++] = 'a' + (long)a; pthread_mutex_unlock(&lock); sched_yield(); } return 0; }
        TOP #include <sched.h>
        pthread_t t[2]; for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, logs, (void *)i); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); puts(log_of); S(@up{4});""",
        """#include <threads.h>
        TOP static _Thread_local int own;
        TOP static int adds(void *a) { own += *(unsigned char *)a; fprintf(stderr, "own %d at %p\\n", own, (void *)&own); return own; }
        thrd_t t; int v = 0; thrd_create(&t, adds, &in[0]); thrd_join(t, &v); S(v); S(own); S(@up{2});""",
        """#include <pthread.h>
        TOP static volatile int flag;
        TOP static void *sets(void *a) { flag = 1; return 0; }
        pthread_t t; pthread_create(&t, 0, sets, 0); if (flag) puts("already"); else puts("not yet"); pthread_join(t, 0); S(@up{4});""",
    ],
}

/* Runs a program many times with given arguments and prints which way each run took through the program's own code.
 *
 * Linked with a program whose objects are compiled with -fsanitize-coverage=trace-pc and -Dmain=program_main. Standard
 * input is a list of command lines, each a 32-bit number of arguments (without the program's name) and that many strings,
 * each ended by a zero byte. One line of standard output per command line: a 64-bit hash of the sequence of basic blocks that the run
 * entered, their number, and how it ended. Each run is a fork of this process, so blocks have the same addresses in all of them.
 */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 64, MOST_BYTES = 4096, MOST_SECONDS = 5 };

/* Shared with the forked run, so that the way is known however the run ends. */
static struct way {
    uint64_t hash;
    uint64_t blocks;
} *way;

int program_main(int argc, char **argv);

void __sanitizer_cov_trace_pc(void)
{
    if (!way)
        return;
    uint64_t mixed = (way->hash ^ (uint64_t)(uintptr_t)__builtin_return_address(0)) * 0x9e3779b97f4a7c15u;
    way->hash = mixed ^ (mixed >> 29);
    way->blocks++;
}

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

/* The next argument of the list, or NULL if it does not fit. */
static char *read_argument(char *at, const char *end)
{
    for (int byte = getchar_unlocked(); at < end; byte = getchar_unlocked()) {
        if (byte == EOF)
            return NULL;
        *at++ = (char)byte;
        if (!byte)
            return at;
    }
    return NULL;
}

static _Noreturn void run_program(int argc, char **argv)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0)
        _exit(120);
    alarm(MOST_SECONDS);
    way->hash = 0;
    way->blocks = 0;
    exit(program_main(argc, argv));
}

int main(int argc, char **argv)
{
    static char bytes[MOST_BYTES], output[1 << 16];
    char *arguments[MOST_ARGUMENTS + 2];
    uint32_t count;

    (void)argc;
    way = mmap(NULL, sizeof *way, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (way == MAP_FAILED)
        fail("mmap");
    setvbuf(stdout, output, _IOFBF, sizeof output);
    while (fread(&count, sizeof count, 1, stdin) == 1) {
        char *at = bytes;
        if (count > MOST_ARGUMENTS) {
            fprintf(stderr, "%u arguments are more than %d\n", count, MOST_ARGUMENTS);
            return 2;
        }
        arguments[0] = argv[0];
        for (uint32_t number = 1; number <= count; number++) {
            arguments[number] = at;
            at = read_argument(at, bytes + sizeof bytes);
            if (!at) {
                fprintf(stderr, "a command line is cut off or longer than %d bytes\n", MOST_BYTES);
                return 2;
            }
        }
        arguments[count + 1] = NULL;
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            fail("fork");
        if (child == 0)
            run_program((int)count + 1, arguments);
        int status;
        if (waitpid(child, &status, 0) < 0)
            fail("waitpid");
        printf("%016llx %llu %s %d\n", (unsigned long long)way->hash, (unsigned long long)way->blocks,
               WIFEXITED(status) ? "exit" : "signal", WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
    return 0;
}

/* Fails at lines 24 and 25: one path set another place to jump to. */
#include <klee/klee.h>
#include <setjmp.h>

static jmp_buf target;
static int from, step;

int main(void)
{
    unsigned char in[3];
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 100) {
        if (setjmp(target)) {
            from = 1;
            goto landed;
        }
    } else if (setjmp(target)) {
        from = 2;
        goto landed;
    }
    if (in[1] > 100)
        longjmp(target, 1);
landed:
    klee_assert(from != 1 || in[2] != 7);
    klee_assert(from != 2 || in[2] != 8);
    if (from == 2)
        step = 1;
    klee_assert(step <= 1);
    return 0;
}

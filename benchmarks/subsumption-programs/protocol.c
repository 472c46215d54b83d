/* A connection that opens, sends windows of data and closes, driven by N symbolic messages. */
#include <klee/klee.h>

#ifndef N
#define N 10
#endif

enum state { CLOSED, OPENING, OPEN, CLOSING, FAILED };
enum message { SYN, ACK, DATA, FIN, RESET };

static enum state state = CLOSED;
static int sent, acknowledged, retries, window = 2, errors;

static void opened(int kind)
{
    if (kind == ACK) {
        state = OPEN;
        retries = 0;
    } else if (kind == SYN && retries < 3) {
        retries++;
    } else {
        state = FAILED;
    }
}

static void running(int kind, int size)
{
    if (kind == DATA) {
        if (sent - acknowledged < window)
            sent++;
        else
            errors++;
        if (size > 60 && window < 4)
            window++;
    } else if (kind == ACK) {
        if (acknowledged < sent)
            acknowledged++;
    } else if (kind == FIN) {
        state = sent == acknowledged ? CLOSED : CLOSING;
    } else {
        errors++;
    }
}

static void closing(int kind)
{
    if (kind == ACK && ++acknowledged == sent)
        state = CLOSED;
    else if (kind == DATA)
        errors++;
}

int main(void)
{
    unsigned char kind[N], size[N];
    klee_make_symbolic(kind, sizeof kind, "kind");
    klee_make_symbolic(size, sizeof size, "size");
    for (int i = 0; i < N; i++) {
        if (kind[i] == RESET) {
            state = CLOSED;
            sent = acknowledged = retries = 0;
            window = 2;
        } else if (state == CLOSED) {
            if (kind[i] == SYN)
                state = OPENING;
        } else if (state == OPENING) {
            opened(kind[i]);
        } else if (state == OPEN) {
            running(kind[i], size[i]);
        } else if (state == CLOSING) {
            closing(kind[i]);
        }
        klee_assert(acknowledged <= sent);
        klee_assert(sent - acknowledged <= window);
        klee_assert(errors <= i + 1);
    }
    return 0;
}

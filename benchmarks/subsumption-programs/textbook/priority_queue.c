/* A binary heap: what comes out is in order. */
#include <klee/klee.h>

#define N 5

static int heap[N], size;

static void push(int value)
{
    int at = size++;
    while (at > 0 && heap[(at - 1) / 2] > value) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = value;
}

static int pop(void)
{
    int top = heap[0], value = heap[--size], at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child >= size)
            break;
        if (child + 1 < size && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= value)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
    return top;
}

int main(void)
{
    unsigned char in[N];
    int last = -1;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        push(in[i] & 15);
    while (size > 0) {
        int value = pop();
        klee_assert(value >= last);
        last = value;
    }
    return 0;
}

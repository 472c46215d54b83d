/* Fails at line 34: lists hold the same numbers in another order. */
#include <klee/klee.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *list, int value)
{
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = list;
    return made;
}

int main(void)
{
    unsigned char in[2];
    struct node *list = 0;
    int sum = 0, first;
    klee_make_symbolic(in, sizeof in, "in");
    if (in[0] > 100) {
        list = push(list, 1);
        list = push(list, 2);
    } else {
        list = push(list, 2);
        list = push(list, 1);
    }
    first = list->value;
    for (struct node *at = list; at; at = at->next)
        sum += at->value;
    klee_assert(sum == 3 && (first == 1 || in[1] != 9));
    return 0;
}

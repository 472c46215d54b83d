/* A list of numbers kept in order: inserted, some removed, all freed. */
#include <klee/klee.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;

static void insert(int value)
{
    struct node **at = &head, *made = malloc(sizeof *made);
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    made->value = value;
    made->next = *at;
    *at = made;
}

static int erase(int value)
{
    for (struct node **at = &head; *at; at = &(*at)->next) {
        if ((*at)->value == value) {
            struct node *gone = *at;
            *at = gone->next;
            free(gone);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    unsigned char in[6];
    int count = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 4; i++, count++)
        insert(in[i] & 15);
    for (int i = 4; i < 6; i++)
        count -= erase(in[i] & 15);
    while (head) {
        struct node *gone = head;
        klee_assert(!gone->next || gone->value <= gone->next->value);
        head = gone->next;
        free(gone);
        count--;
    }
    klee_assert(count == 0);
    return 0;
}

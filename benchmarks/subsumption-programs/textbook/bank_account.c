/* Two accounts; transfers keep the sum, no balance falls below the limit. */
#include <klee/klee.h>

struct account {
    int balance, limit, refused;
};

static int take(struct account *from, int amount)
{
    if (from->balance - amount < from->limit) {
        from->refused++;
        return 0;
    }
    from->balance -= amount;
    return 1;
}

int main(void)
{
    unsigned char in[6];
    struct account one = {100, 0, 0}, two = {50, -20, 0};
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 6; i++) {
        struct account *from = in[i] & 128 ? &one : &two, *to = from == &one ? &two : &one;
        int amount = 10 * (1 + (in[i] & 1) * 4);
        if (take(from, amount))
            to->balance += amount;
        klee_assert(one.balance + two.balance == 150);
    }
    klee_assert(one.balance >= 0 && two.balance >= -20);
    klee_assert(one.refused + two.refused <= 6);
    return 0;
}

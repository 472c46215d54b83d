/* A crossing with two lights and a request button. */
#include <klee/klee.h>

enum colour { RED, YELLOW, GREEN };

struct light {
    enum colour colour;
    int since;
};

static struct light street = {GREEN, 0}, path = {RED, 0};
static int wanted;

static void change(struct light *light, enum colour colour)
{
    light->colour = colour;
    light->since = 0;
}

static void step(int button)
{
    if (button)
        wanted = 1;
    street.since++;
    path.since++;
    if (street.colour == GREEN && wanted && street.since > 2)
        change(&street, YELLOW);
    else if (street.colour == YELLOW)
        change(&street, RED);
    else if (street.colour == RED && path.colour == RED && wanted) {
        change(&path, GREEN);
        wanted = 0;
    } else if (path.colour == GREEN && path.since > 1)
        change(&path, RED);
    else if (path.colour == RED && street.colour == RED)
        change(&street, GREEN);
}

int main(void)
{
    unsigned char in[12];
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 12; i++) {
        step(in[i] & 1);
        klee_assert(street.colour == RED || path.colour == RED);
        klee_assert(path.since <= i + 1);
    }
    return 0;
}

/* Bubble sort of seven symbolic unsigned ints: one path for each of the 7! orders. */
#include <klee/klee.h>

#define COUNT 7

int main(void)
{
    unsigned values[COUNT];
    klee_make_symbolic(values, sizeof values, "values");
    for (int end = COUNT - 1; end > 0; end--) {
        for (int i = 0; i < end; i++) {
            if (values[i] > values[i + 1]) {
                unsigned larger = values[i];
                values[i] = values[i + 1];
                values[i + 1] = larger;
            }
        }
    }
    return 0;
}

// run: --sym-stdin 61
// statuses: 0 1
//
// A conjunction of thirty levels, each of which holds the one below twice: 2^30 ways down to the first comparison. Taken
// apart along each of them it took more memory than a machine has.
#include <stdbool.h>
#include <unistd.h>

int main(void) {
    unsigned char s[61];
    if (read(0, s, sizeof s) != sizeof s)
        return 2;
    bool all = s[0] > 9;
    for (int level = 0; level < 30; level++) {
        unsigned char a = s[2 * level + 1], b = s[2 * level + 2];
        bool left = all & (a > b), right = all & (a * b != 77);
        all = left & right;
    }
    if (all)
        return 1;
    return 0;
}

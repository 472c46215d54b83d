/* A word turned round twice is the same; its capitals are counted. */
#include <klee/klee.h>

static void reverse(char *word)
{
    int end = 0;
    while (word[end])
        end++;
    for (int i = 0, j = end - 1; i < j; i++, j--) {
        char c = word[i];
        word[i] = word[j];
        word[j] = c;
    }
}

static int capitals(const char *word)
{
    int count = 0;
    for (; *word; word++)
        if (*word >= 'A' && *word <= 'Z')
            count++;
    return count;
}

int main(void)
{
    char word[7], copy[7];
    klee_make_symbolic(word, sizeof word, "word");
    word[6] = 0;
    for (int i = 0; i < 7; i++)
        copy[i] = word[i];
    int before = capitals(word);
    reverse(word);
    int after = capitals(word);
    reverse(word);
    for (int i = 0; i < 7; i++)
        klee_assert(word[i] == copy[i]);
    klee_assert(before <= 6 && after <= 6);
    return 0;
}

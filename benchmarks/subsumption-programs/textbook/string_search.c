/* The first place of a word in a text, both symbolic. */
#include <klee/klee.h>

static int length(const char *text)
{
    int n = 0;
    while (text[n])
        n++;
    return n;
}

static int find(const char *text, const char *word)
{
    for (int at = 0;; at++) {
        int n = 0;
        while (word[n] && text[at + n] == word[n])
            n++;
        if (!word[n])
            return at;
        if (!text[at + n])
            return -1;
    }
}

int main(void)
{
    char text[6], word[3];
    klee_make_symbolic(text, sizeof text, "text");
    klee_make_symbolic(word, sizeof word, "word");
    text[5] = word[2] = 0;
    int at = find(text, word);
    klee_assert(at == -1 || at + length(word) <= length(text));
    return 0;
}

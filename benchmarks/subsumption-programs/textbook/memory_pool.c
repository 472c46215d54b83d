/* Blocks of a pool that are lent and given back through a list of free ones. */
#include <klee/klee.h>

#define BLOCKS 3

struct block {
    struct block *next;
    int lent;
};

static struct block pool[BLOCKS], *free_blocks;
static struct block *held[BLOCKS];
static int count;

static struct block *lend(void)
{
    struct block *block = free_blocks;
    if (block) {
        free_blocks = block->next;
        klee_assert(!block->lent);
        block->lent = 1;
    }
    return block;
}

static void take_back(struct block *block)
{
    klee_assert(block->lent);
    block->lent = 0;
    block->next = free_blocks;
    free_blocks = block;
}

int main(void)
{
    unsigned char in[8];
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < BLOCKS; i++) {
        pool[i].next = free_blocks;
        free_blocks = &pool[i];
    }
    for (int i = 0; i < 8; i++) {
        if (in[i] & 1) {
            struct block *block = lend();
            klee_assert(block || count == BLOCKS);
            if (block)
                held[count++] = block;
        } else if (count > 0) {
            int which = in[i] & 2 ? 0 : count - 1;
            take_back(held[which]);
            held[which] = held[--count];
        }
        int left = 0;
        for (struct block *block = free_blocks; block; block = block->next)
            left++;
        klee_assert(left + count == BLOCKS);
    }
    return 0;
}

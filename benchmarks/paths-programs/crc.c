/* A table-driven CRC-32 over six symbolic bytes. After each byte a branch on the sum's lowest bit, as an
 * encoder that escapes would have it; in the end a comparison of the sum's lowest byte. */
#include <klee/klee.h>
#include <stdint.h>

#define COUNT 6

static uint32_t table[256];

static void make_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[i] = value;
    }
}

int main(void)
{
    unsigned char bytes[COUNT];
    uint32_t sum = 0xffffffffu;
    int odd = 0;
    make_table();
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < COUNT; i++) {
        sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
        if (sum & 1)
            odd++;
    }
    if ((sum & 0xff) == 0x5a)
        return 100;
    return odd;
}

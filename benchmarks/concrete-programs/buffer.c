/* 300 times over a buffer of 4096 bytes: a store, a load and a call that multiplies and mixes. */
static unsigned char buffer[4096];

__attribute__((noinline)) static unsigned mix(unsigned a, unsigned b)
{
    return a * 2654435761u ^ b;
}

int main(void)
{
    unsigned s = 1;
    for (int round = 0; round < 300; round++) {
        for (int i = 0; i < 4096; i++) {
            buffer[i] = (unsigned char)(s + (unsigned)i);
            s = mix(s, buffer[i]);
        }
    }
    return (int)(s & 127);
}

/* 20 million steps of a mixing function: arithmetic and one branch. */
int main(int argc, char **argv)
{
    unsigned long s = (unsigned long)argc;
    (void)argv;
    for (unsigned long i = 0; i < 20000000; i++)
        s = s * 31 + (i ^ (s >> 3));
    return (int)(s & 127);
}

// Scrambles a word and compares it with a secret word, using strcmp of the C library.
//
// homi finds the secret word. There is no bug; one of the tests has the accepted argument.
//
// run: --sym-arg 6
// finds: arguments sesame

#include <string.h>

int main(int argc, char **argv) {
  char word[8] = "";
  if (argc < 2 || strlen(argv[1]) > 6)
    return 1;
  for (int i = 0; argv[1][i] != '\0'; i++)
    word[i] = argv[1][i] ^ (i + 1);
  if (strcmp(word, "rgpehc") == 0)
    return 42;
  return 0;
}

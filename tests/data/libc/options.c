// getopt and its relatives on many command lines: results, order of arguments, messages (standard error is compared).
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct option longs[] = {
    {"all", no_argument, 0, 'a'},          {"alpha", no_argument, 0, 'A'},          {"beta", required_argument, 0, 'b'},
    {"gamma", optional_argument, 0, 'g'},  {"verbose", no_argument, 0, 'v'},        {"verbatim", no_argument, 0, 'v'},
    {"output", required_argument, 0, 'o'}, {"output-file", required_argument, 0, 'o'}, {0, 0, 0, 0}};

static void scan(const char *letters, int kind, const char *line) {
  char copy[200], *argv[30];
  int argc = 0, c, index = -1;
  strcpy(copy, line);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  argv[argc] = NULL;
  optind = 0;
  printf("%s kind %d: %s\n", letters, kind, line);
  fflush(stdout);
  for (int turn = 0; turn < 20; turn++) {
    index = -1;
    c = kind == 0 ? getopt(argc, argv, letters)
        : kind == 1 ? getopt_long(argc, argv, letters, longs, &index) : getopt_long_only(argc, argv, letters, longs, &index);
    printf("  %d arg %s optind %d optopt %d index %d\n", c, optarg ? optarg : "-", optind, optopt, index);
    if (c == -1) break;
  }
  for (int i = 0; i < argc; i++) printf(" %s", argv[i]);
  printf("\n");
  fflush(stdout);
}

int main(void) {
  static const char *const lines[] = {"p", "p -a", "p -ab x", "p -abx", "p -b", "p -z", "p -az", "p x -a y -b z w", "p x -- -a", "p -- x",
      "p - -a", "p --all", "p --al", "p --alp", "p --a", "p --beta", "p --beta=1", "p --beta 1", "p --be 1 x", "p --all=1", "p --gamma",
      "p --gamma=2", "p --gamma 2", "p --nosuch", "p --nosuch=3", "p --verb", "p --v", "p --out 3", "p --output 3", "p --output-f=3",
      "p -g", "p -g1", "p -g 1", "p -W all", "p x y z -a", "p x -a y -a z", "p -a x -b", "p --", "p x --", "p -all", "p -beta 3", "p -al",
      "p -v -nosuch", "p -:", "p -a-", "p ---all", "p --=x", "p x -b y --all z -- -q", "p -o"};
  static const char *const letters[] = {"ab:g::vo:", "+ab:g::vo:", "-ab:g::vo:", ":ab:g::vo:", "+:ab:g::vo:"};
  for (unsigned l = 0; l < 5; l++)
    for (int kind = 0; kind < 3; kind++)
      for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) scan(letters[l], kind, lines[i]);
  opterr = 0;
  scan("ab:", 1, "p -z --nosuch -b");
  return 0;
}

/* argp: a tree of parsers, its errors, usage and help. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "program 1.2";
const char *argp_program_bug_address = "<bugs@example.org>";

static const struct argp_option options[] = {
  {"verbose", 'v', 0, 0, "Produce verbose output"},
  {"quiet", 'q', 0, 0, "Do not produce any output"},
  {"silent", 's', 0, OPTION_ALIAS},
  {"output", 'o', "FILE", 0, "Output to FILE instead of standard output, whatever the others say about the place where it goes"},
  {"a-very-long-option-name", 1000, "COUNT", OPTION_ARG_OPTIONAL, "Its argument may be missing"},
  {0, 0, 0, 0, "The following options are about numbers:", 4},
  {"level", 'l', "N", 0, "A level\nin two lines"},
  {0, 'x', 0, 0, "Only a letter"},
  {0, 'Y', "ARG", OPTION_ARG_OPTIONAL, "A letter with an argument that may be missing"},
  {"hidden", 'h', 0, OPTION_HIDDEN, "Not shown"},
  {"no-usage", 2000, 0, OPTION_NO_USAGE, "Not in the usage"},
  {"NOTE", 0, 0, OPTION_DOC, "What is no option"},
  {0}};
static const struct argp_option child_options[] = {{"child", 'c', "WORD", 0, "The child's own"}, {"alpha", 'A', 0, 0, "Another"}, {0}};

static error_t parse(int key, char *word, struct argp_state *state) {
  switch (key) {
  case ARGP_KEY_INIT: printf("init %d\n", state->input != 0); state->child_inputs[0] = state->input; break;
  case ARGP_KEY_ARG: printf("arg %u %s\n", state->arg_num, word); if (state->arg_num >= 3) return ARGP_ERR_UNKNOWN; break;
  case ARGP_KEY_NO_ARGS: printf("no args\n"); break;
  case ARGP_KEY_END: printf("end %u\n", state->arg_num); if (state->arg_num == 2) argp_error(state, "two are %s", "bad"); break;
  case ARGP_KEY_SUCCESS: printf("success\n"); break;
  case ARGP_KEY_ERROR: printf("error\n"); break;
  case ARGP_KEY_FINI: printf("fini\n"); break;
  case 'l': if (atoi(word) > 9) { argp_failure(state, 0, EINVAL, "level %s", word); return EINVAL; } /* fall through */
  case 'v': case 'q': case 's': case 'o': case 'x': case 'Y': case 'h': case 1000: case 2000: printf("option %d %s\n", key, word ? word : "-"); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}
static error_t parse_child(int key, char *word, struct argp_state *state) {
  if (key == ARGP_KEY_INIT) return printf("child %d\n", state->input != 0), 0;
  if (key != 'c' && key != 'A') return ARGP_ERR_UNKNOWN;
  return printf("child's %c %s\n", key, word ? word : "-"), 0;
}
static const struct argp child = {child_options, parse_child, 0, "What the child says."};
static const struct argp_child children[] = {{&child, 0, "The child's options:", 7}, {0}};
static const struct argp parser = {options, parse, "FIRST [SECOND...]\n--other WAY", "A program with options -- and a text long enough to be broken into two lines.\vWhat is said at the end.\n\nIn two paragraphs.", children};

static void run(const char *line, unsigned flags) {
  char copy[200], *words[20] = {0}, *save;
  int count = 0, end = -1, input = 5;
  strcpy(copy, line);
  for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(0, " ", &save)) words[count++] = word;
  printf("--- %s\n", line);
  fflush(stdout);
  error_t error = argp_parse(&parser, count, words, flags | ARGP_NO_EXIT, flags & ARGP_NO_ARGS ? &end : 0, &input);
  printf("=> %d, end %d\n", error, end);
  fflush(stdout);
}

int main(int argc, char **argv) {
  static const char *const lines[] = {"p", "p -v one", "p one -q --output=f two three", "p -ofile --level 3 -l12", "p --lev=4 -c word -A", "p --unknown", "p -Z", "p -o", "p --verbose=x",
    "p one two", "p one two three four", "p -- -v one", "p --help", "p --usage", "p --version", "p -V", "p -x -Yarg -Y --a-very --a-very-long-option-name=7 -?", "p -s --silent --child=w --hidden --no-usage", "dir/p --program-name=dir/other --unknown"};
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) run(lines[i], 0);
  run("p -v one -q two", ARGP_IN_ORDER), run("p -v one -q", ARGP_NO_ARGS), run("p --help -v", ARGP_NO_HELP), run("p --unknown", ARGP_NO_ERRS), run("-v one", ARGP_PARSE_ARGV0), run("p -verbose -level=2", ARGP_LONG_ONLY);
  static const struct argp plain = {0, 0, 0, 0};
  argp_help(&plain, stdout, ARGP_HELP_STD_HELP, "plain");
  argp_help(&parser, stdout, ARGP_HELP_USAGE | ARGP_HELP_LONG, "named");
  char *bad[] = {"name", "--nothing", 0};
  fflush(stdout);
  argp_parse(&parser, 2, bad, 0, 0, 0);
  return 0;
}

// A calculator for sums and quotients of one-digit numbers with parentheses; it reads its first
// argument.
//
// homi finds a division by zero. It needs no grammar of the input, because it explores the branches
// of the parser.
//
// run: --sym-arg 5
// finds: div line 41

#include <stdio.h>
#include <stdlib.h>

static const char *rest;

static void refuse(void) {
  puts("not an expression");
  exit(1);
}

static int sum(void);

static int number(void) {
  if (*rest == '(') {
    rest++;
    int value = sum();
    if (*rest != ')')
      refuse();
    rest++;
    return value;
  }
  if (*rest < '0' || *rest > '9')
    refuse();
  return *rest++ - '0';
}

static int quotient(void) {
  int value = number();
  while (*rest == '/') {
    rest++;
    int divisor = number();
    value = value / divisor;
  }
  return value;
}

static int sum(void) {
  int value = quotient();
  while (*rest == '+' || *rest == '-') {
    int negative = *rest++ == '-';
    int summand = quotient();
    value = negative ? value - summand : value + summand;
  }
  return value;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  rest = argv[1];
  int value = sum();
  if (*rest != '\0')
    refuse();
  printf("%d\n", value);
  return 0;
}

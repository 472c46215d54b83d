// printf without a libc.
// expect: exits 1
// expect: stdout "[42|-7|   5|5   |0005|+3|ff|0XFF|17|x|text|te|%]\n"
// expect: stdout "[4294967295|-1|18446744073709551615|-2|300|44]\n"
// expect: stdout "[3.250000|2.5|  -1.00]\n"
// level: -O0
#include <stdio.h>
int main(void) {
  printf("[%d|%i|%4d|%-4d|%04d|%+d|%x|%#X|%o|%c|%s|%.2s|%%]\n", 42, -7, 5, 5, 5, 3, 255, 255, 15, 'x',
         "text", "text");
  printf("[%u|%ld|%lu|%lld|%hd|%hhd]\n", -1, -1L, -1L, -2LL, 300, 300);
  printf("[%f|%.1f|%7.2f]\n", 3.25, 2.5, -1.0);
  puts("line");
  putchar('!');
  return 0;
}

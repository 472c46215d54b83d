// expect: bug overflow line 5 "integer division overflow"
// expect: exits 0
int main(void) {
  volatile int left = -2147483647 - 1, right = -1; int quotient = left, rest;
  __asm__("cltd\n\tidivl %2" : "+a"(quotient), "=&d"(rest) : "r"(right));
  return rest;
}

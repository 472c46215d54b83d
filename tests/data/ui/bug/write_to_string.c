// expect: bug read_only line 5 "memory error: object read only"
// expect: exits 0
int main(void) {
  char *volatile s = "constant";
  s[0] = 'C';
  return 0;
}

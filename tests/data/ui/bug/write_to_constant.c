// expect: bug read_only line 6 "memory error: object read only"
// expect: exits 0
static const int table[3] = {1, 2, 3};
int main(void) {
  int *volatile p = (int *)table;
  p[1] = 0;
  return table[1];
}

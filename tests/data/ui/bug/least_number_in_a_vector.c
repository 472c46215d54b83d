// expect: bug overflow line 6 "integer division overflow"
// expect: exits 0
typedef int four __attribute__((vector_size(16)));
int main(void) {
  volatile four left = {1, 2, -2147483647 - 1, 3}, right = {1, 1, -1, 1};
  four result = left / right;
  return result[0];
}

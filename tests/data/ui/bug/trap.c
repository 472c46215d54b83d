// expect: bug abort line 4 "abort failure"
// expect: exits 0
int main(void) {
  __builtin_trap();
}

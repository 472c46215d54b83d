/* Native driver: prints what the test program put out. */
#include <stdio.h>
unsigned long results[65536];
unsigned long count;
int test_main(void);
int main(void) {
  int status = test_main();
  for (unsigned long i = 0; i < count; i++) printf("%lu\n", results[i]);
  printf("%d\n", status);
  return 0;
}

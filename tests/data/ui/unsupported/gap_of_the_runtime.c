// expect: unsupported "the moon"
// expect: exits 0
#include <homi/engine.h>
int main(void) {
  homi_unsupported("the moon");
}

/* Results of a test program: the same values must come out natively and in homi. */
#ifndef OUT_H
#define OUT_H
extern unsigned long results[65536];
extern unsigned long count;
static inline void out(unsigned long value) {
  if (count < 65536) results[count++] = value;
}
#endif

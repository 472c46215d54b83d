// Probes, padding and descriptions in inline assembly, which compute nothing.
// input: 1
#include "outcome.h"

#define NOTE(name, value)                                                                          \
  __asm__ volatile("990:\tnop\n"                                                                   \
                   "\t.pushsection .note.stapsdt,\"\",\"note\"\n"                                  \
                   "\t.balign 4\n"                                                                 \
                   "\t.4byte 992f-991f, 994f-993f, 3\n"                                            \
                   "991:\t.asciz \"stapsdt\"\n"                                                    \
                   "992:\t.balign 4\n"                                                             \
                   "993:\t.8byte 990b\n"                                                           \
                   "\t.8byte 0\n"                                                                  \
                   "\t.8byte 0\n"                                                                  \
                   "\t.asciz \"case\"\n"                                                           \
                   "\t.asciz \"" name "\"\n"                                                       \
                   "\t.asciz \"-4@%0\"\n"                                                          \
                   "994:\t.balign 4\n"                                                             \
                   "\t.popsection\n" ::"nor"(value))

static int locked_sum(int *to, int value) {
  __asm__ volatile(".section .fixups, \"aw\"\n\t.balign 8\n\t.quad 661f\n\t.previous\n"
                   "661:\tlock; xaddl %0, %1"
                   : "+r"(value), "+m"(*to)
                   :
                   : "memory", "cc");
  return value;
}

int main(void) {
  unsigned char in;
  int sum = 40;
  take(&in, 1);
  NOTE("taken", (int)in);
  __asm__ volatile(".p2align 4,,10\n\t.p2align 3\n\tnopw 0x0(%%rax,%%rax,1)\n\tendbr64" ::: "memory");
  if (in < 10) return 1;
  __asm__ volatile("# only a comment; with a semicolon");
  __asm__ volatile("prefetcht0 %0" ::"m"(sum));
  if (locked_sum(&sum, in) != 40) return 99;
  NOTE("summed", sum);
  if (sum > 100) return 2;
  return sum == 51 ? 3 : 4;
}

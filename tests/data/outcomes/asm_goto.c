// asm goto: jumps of a condition, of outputs, and places that are only noted down.
// input: 2
// alphabet: 00 01 05 07 80
#include "outcome.h"

static int is_zero(int value) {
  __asm__ goto("testl %0, %0; jne %l[other]" ::"r"(value) : "cc" : other);
  return 1;
other:
  return 0;
}
static int ranked(unsigned value) {
  __asm__ goto("cmpl $5, %0\n\tje %l[equal]\n\tjb %l[less]" ::"r"(value) : "cc" : equal, less);
  return 3;
equal:
  return 2;
less:
  return 1;
}
static int key(void) {
  __asm__ goto("1: .byte 0x0f,0x1f,0x44,0x00,0x00\n\t.pushsection .keys, \"aw\"\n\t.balign 8\n\t"
               ".quad 1b\n\t.popsection" ::::on);
  return 0;
on:
  return 1;
}
static int subtracted(int a, int b) {
  int result = a;
  __asm__ goto("subl %1, %0; js %l[negative]" : "+r"(result) : "r"(b) : "cc" : negative);
  return result;
negative:
  return -1;
}

int main(void) {
  unsigned char in[2];
  take(in, 2);
  if (key()) return 90;
  int difference = subtracted(in[0], in[1]);
  if (difference < 0) return 40 + ranked(in[1]);
  return 10 * is_zero(in[0]) + ranked(in[0]) + (difference == 7 ? 20 : 0);
}

// Handles of an index and a generation; a reused slot makes the old handles stale.
// input: 4
// alphabet: 00 01 02 03 04 05 06 07 10 11
#include "outcome.h"
#include <stdint.h>
#include <stdlib.h>

struct slot {
  uint16_t generation;
  uint16_t next;
  int *object;
};
static struct slot slot[6];
static unsigned first_free;

static uint32_t open_handle(int value) {
  unsigned index = first_free;
  if (index >= 6) return 0;
  first_free = slot[index].next;
  if (!(slot[index].object = malloc(sizeof(int)))) _exit(249);
  *slot[index].object = value;
  return (uint32_t)++slot[index].generation << 16 | index;
}
static int *resolve(uint32_t handle) {
  unsigned index = handle & 0xffff;
  if (index >= 6 || slot[index].generation != handle >> 16) return 0;
  return slot[index].object;
}
static int close_handle(uint32_t handle) {
  int *object = resolve(handle);
  if (!object) return 0;
  free(object);
  slot[handle & 0xffff].generation++;
  slot[handle & 0xffff].object = 0;
  slot[handle & 0xffff].next = first_free;
  first_free = handle & 0xffff;
  return 1;
}

int main(void) {
  uint32_t handle[6];
  unsigned char in[4];
  take(in, sizeof in);
  for (int i = 0; i < 6; i++) slot[i].next = i + 1;
  for (int i = 0; i < 4; i++) handle[i] = open_handle(10 * i + 1);
  if (!close_handle((uint32_t)(in[1] & 3) << 16 | (in[0] & 7))) return 70;
  uint32_t again = open_handle(55);
  if ((again & 0xffff) != (in[0] & 7)) return 100;
  int *object = resolve(in[2] & 1 ? again : handle[in[3] & 3]);
  if (in[3] == 9) return each(*object & 63);
  return object ? each(*object) : 71;
}

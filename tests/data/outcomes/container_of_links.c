// Lists whose links are inside of the records: the record is found by subtracting the offset.
// input: 3
// alphabet: 00 01 02 03 04 05 06 07
#include "outcome.h"
#include <stddef.h>
#include <stdlib.h>

struct link {
  struct link *next, *before;
};
struct record {
  char name[5];
  struct link by_age;
  int age;
  struct link by_name;
};
#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

static void append(struct link *list, struct link *link) {
  link->before = list->before;
  link->next = list;
  list->before->next = link;
  list->before = link;
}

static void unlink_one(struct link *link) {
  link->next->before = link->before;
  link->before->next = link->next;
  link->next = link->before = 0;
}

int main(void) {
  struct link ages = {&ages, &ages}, names = {&names, &names};
  struct record *all[6];
  unsigned char in[3];
  take(in, sizeof in);
  for (int i = 0; i < 6; i++) {
    if (!(all[i] = calloc(1, sizeof **all))) return 249;
    all[i]->age = 11 * i;
    append(&ages, &all[i]->by_age);
    append(&names, &all[5 - i ? i : 0]->by_name);
    if (i == 5) break;
  }
  unlink_one(&all[in[0] % 5]->by_name);
  /* A record that is no longer in the list is unlinked again: a null pointer is followed. */
  unlink_one(&all[in[1] % 5]->by_name);
  struct link *at = names.next;
  for (int i = 0; i < in[2] % 4; i++) at = at->next;
  if (at == &names) return 200;
  struct record *found = container_of(at, struct record, by_name);
  found->by_age.next = 0;
  return each(container_of(found->by_age.before, struct record, by_age) ==
                      container_of(&ages, struct record, by_age)
                  ? 100
                  : found->age);
}

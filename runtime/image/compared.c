/* Operands of comparisons: an image has a copy of the program's functions that reports them here, and an execution that
 * records them runs the copy. */
#include "image.h"

/* Functions whose address the program takes, each with its copy: made by homi, absent without copies. */
extern void *const homi_image_copies[][2] __attribute__((weak));
extern const uint64_t homi_image_copy_count __attribute__((weak));

static struct comparisons *const list = COMPARISONS;
static int is_recording;

void image_record(void) {
  image_clear(list->sites, sizeof list->sites);
  list->count = 0;
  is_recording = 1;
}

/* The copy of a function, or the function if it has none. */
void *homi_image_copy_of(void *function) {
  uint64_t i, count = &homi_image_copy_count ? homi_image_copy_count : 0;
  if (!is_recording) return function;
  for (i = 0; i < count; i++)
    if (homi_image_copies[i][0] == function) return homi_image_copies[i][1];
  return function;
}

static int is_same(const uint8_t *a, const uint8_t *b, unsigned n) {
  while (n > 0 && *a == *b) a++, b++, n--;
  return n == 0;
}

/* A place in the list for a comparison of this site; null if there is none, or if the site has had enough. */
static struct comparison *add(uint32_t site) {
  struct site *known = &list->sites[site % SITES];
  if (!is_recording || list->count >= MOST_COMPARISONS || known->count >= MOST_OF_SITE) return 0;
  return &list->list[list->count];
}

/* Keeps the filled place unless the site's last comparison had the same operands. */
static void keep(uint32_t site, struct comparison *new) {
  struct site *known = &list->sites[site % SITES];
  const struct comparison *last = &list->list[known->last];
  if (known->count && last->left_size == new->left_size && last->right_size == new->right_size &&
      is_same(last->left, new->left, new->left_size) && is_same(last->right, new->right, new->right_size))
    return;
  known->count++;
  known->last = (uint16_t)list->count++;
}

/* Two integers of `size` bytes. */
void homi_image_compared(uint64_t left, uint64_t right, uint32_t site, uint32_t size, uint32_t kind) {
  struct comparison *new = left == right && kind == COMPARED_EQUAL ? 0 : add(site);
  if (!new) return;
  new->kind = (uint8_t)kind;
  new->left_size = new->right_size = (uint8_t)size;
  image_copy(new->left, &left, size);
  image_copy(new->right, &right, size);
  keep(site, new);
}

static uint8_t copied(uint8_t *to, const char *from, uint64_t n, int is_string) {
  uint8_t size = 0;
  while (size < n && size < OPERAND_SIZE && (!is_string || from[size])) to[size] = (uint8_t)from[size], size++;
  return size;
}

/* Two texts of at most `n` bytes, which end at a NUL if they are strings. */
void homi_image_compared_texts(const char *left, const char *right, uint64_t n, uint32_t site, uint32_t is_string) {
  struct comparison *new = add(site);
  if (!new) return;
  new->kind = COMPARED_TEXTS;
  new->left_size = copied(new->left, left, n, (int)is_string);
  new->right_size = copied(new->right, right, n, (int)is_string);
  keep(site, new);
}

/* ---- what every harness has ---- */

void *malloc(unsigned long);
void klee_make_symbolic(void *, unsigned long, const char *);
void klee_assume(unsigned long);
void klee_silent_exit(int);

/* What a pointer points to. */
struct homi_type {
  unsigned long size;
  int is_text;  /* characters: a string, if strings are among the shapes */
  int is_bytes; /* of unknown meaning: one alone is none of the shapes */
  int is_node;  /* it points to its like, so there are no arrays of it */
  void (*fill)(void *object, const char *name, int depth);
};

static struct homi_object {
  const struct homi_type *type;
  void *address;
  unsigned long elements;
  int is_open; /* it is being filled: a pointer to it closes a circle */
} homi_objects[HOMI_OBJECTS];
static unsigned homi_count;

/* Elements behind the pointer that was made last. */
static unsigned long homi_made;

static char homi_names[1 << 14];
static unsigned long homi_used;

/* Two texts as one. */
static const char *homi_name(const char *start, const char *end) {
  char *name = homi_names + homi_used;
  unsigned long length = 0;
  if (homi_used + 512 > sizeof homi_names) return start;
  while (*start && length < 256) name[length++] = *start++;
  while (*end && length < 500) name[length++] = *end++;
  name[length] = 0;
  homi_used += length + 1;
  return name;
}

/* NAME[NUMBER] */
static const char *homi_index(const char *name, unsigned number) {
  char text[8], *at = text + 7;
  *at = 0;
  *--at = ']';
  do *--at = (char)('0' + number % 10);
  while ((number /= 10) && at > text + 1);
  *--at = '[';
  return homi_name(name, at);
}

/* One of the numbers whose bits are set. If there are several, it is an input. */
static unsigned homi_choice(unsigned long long allowed, const char *name) {
  unsigned char chosen = 0;
  unsigned i;
  int possible = 0;
  if (allowed & (allowed - 1)) {
    klee_make_symbolic(&chosen, 1, homi_name(name, ":shape"));
    for (i = 0; i < 64; i++)
      if (allowed >> i & 1) possible |= chosen == i;
    klee_assume(possible);
    for (i = 0; i < 63; i++)
      if ((allowed >> i & 1) && chosen == i) return i;
    return 63;
  }
  for (i = 0; i < 63 && !(allowed >> i & 1);) i++;
  return i;
}

/* Makes elements of a type, and a zero behind a string. */
static void *homi_object(const struct homi_type *type, const char *name, int depth, unsigned long elements,
                         int is_string) {
  struct homi_object *object = &homi_objects[homi_count++];
  unsigned long i;
  char *address;
  object->elements = elements;
  if (is_string) elements++;
  address = malloc(type->size * elements);
  object->type = type;
  object->address = address;
  object->is_open = 1;
  if (type->size) klee_make_symbolic(address, type->size * elements, name);
  if (is_string) address[elements - 1] = 0;
  if (type->fill)
    for (i = 0; i < elements; i++)
      type->fill(address + i * type->size, elements == 1 ? name : homi_index(name, i), depth);
  object->is_open = 0;
  return address;
}

/* A pointer to an object of a type: 0 null, 1 one element, 2 several (or a string), 3 and up: the first, second...
 * object of the harness. */
static void *homi_pointer(const struct homi_type *type, const char *name, int depth, int may_be_null) {
  int is_fresh = depth < HOMI_DEPTH && homi_count < HOMI_OBJECTS;
  int is_string = HOMI_STRING && type->is_text;
  unsigned long long allowed = 0;
  unsigned i, shape;
  void *address;
  if (may_be_null) allowed |= 1;
  if (is_fresh && HOMI_ONE && !is_string && !type->is_bytes) allowed |= 2;
  if (is_fresh && (is_string || type->is_bytes || (HOMI_MANY && !type->is_node))) allowed |= 4;
  for (i = 0; i < homi_count; i++)
    if (homi_objects[i].type == type && (homi_objects[i].is_open ? HOMI_CYCLIC : HOMI_SHARED)) allowed |= 8ull << i;
  if (!allowed) allowed = is_fresh ? 2 : 1;
  shape = homi_choice(allowed, name);
  homi_made = 0;
  if (shape == 0) return 0;
  if (shape >= 3) {
    homi_made = homi_objects[shape - 3].elements;
    return homi_objects[shape - 3].address;
  }
  address = homi_object(type, name, depth, shape == 1 ? 1 : HOMI_ELEMENTS, is_string);
  homi_made = shape == 1 ? 1 : HOMI_ELEMENTS;
  return address;
}

/* A pointer as a contract has it: null if `allowed` has bit 0, and the object if it has another bit. */
static void *homi_given(const struct homi_type *type, const char *name, unsigned allowed, unsigned long elements,
                        int is_string) {
  if (homi_choice(allowed, name) == 0) return 0;
  return homi_object(type, name, 0, elements, is_string);
}

/* ---- this function's types ---- */

// Arrays of objects with constructors or destructors (Itanium C++ ABI, "Array Construction and Destruction").
//
// A constructor or destructor that throws: what was made is destroyed again, from the last to the first, and the
// exception goes on. One more from a destructor meanwhile is std::terminate.
namespace std {
[[noreturn]] void terminate() noexcept;
}
extern "C" [[noreturn]] void __cxa_throw_bad_array_new_length();

using word = unsigned long;
using constructor = void (*)(void *object);
using copier = void (*)(void *object, void *from);
using allocator = void *(*)(word size);
using releaser = void (*)(void *block);
using sized_releaser = void (*)(void *block, word size);

static char *at(void *array, word index, word size) { return (char *)array + index * size; }

extern "C" {
void __cxa_vec_cleanup(void *array, word count, word size, constructor destructor) noexcept {
  if (destructor)
    while (count > 0) destructor(at(array, --count, size));
}

void __cxa_vec_ctor(void *array, word count, word size, constructor make, constructor destructor) {
  word made = 0;
  try {
    for (; make && made < count; made++) make(at(array, made, size));
  } catch (...) {
    __cxa_vec_cleanup(array, made, size, destructor);
    throw;
  }
}

void __cxa_vec_cctor(void *array, void *from, word count, word size, copier copy, constructor destructor) {
  word made = 0;
  try {
    for (; copy && made < count; made++) copy(at(array, made, size), at(from, made, size));
  } catch (...) {
    __cxa_vec_cleanup(array, made, size, destructor);
    throw;
  }
}

void __cxa_vec_dtor(void *array, word count, word size, constructor destructor) {
  if (!destructor) return;
  try {
    while (count > 0) destructor(at(array, --count, size));
  } catch (...) {
    __cxa_vec_cleanup(array, count, size, destructor);
    throw;
  }
}

static word whole(word count, word size, word padding) {
  word bytes, all;
  if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, padding, &all))
    __cxa_throw_bad_array_new_length();
  return all;
}

// The count lies right before the first object.
static void *filled(char *block, word count, word size, word padding, constructor make, constructor destructor) {
  char *array = block + padding;
  if (padding) ((word *)array)[-1] = count;
  __cxa_vec_ctor(array, count, size, make, destructor);
  return array;
}

void *__cxa_vec_new2(word count, word size, word padding, constructor make, constructor destructor, allocator allocate,
                     releaser release) {
  char *block = (char *)allocate(whole(count, size, padding));
  if (!block) return nullptr;
  try {
    return filled(block, count, size, padding, make, destructor);
  } catch (...) {
    release(block);
    throw;
  }
}

void *__cxa_vec_new3(word count, word size, word padding, constructor make, constructor destructor, allocator allocate,
                     sized_releaser release) {
  word all = whole(count, size, padding);
  char *block = (char *)allocate(all);
  if (!block) return nullptr;
  try {
    return filled(block, count, size, padding, make, destructor);
  } catch (...) {
    release(block, all);
    throw;
  }
}

static void *of_operator_new(word size) { return ::operator new[](size); }
static void to_operator_delete(void *block) { ::operator delete[](block); }

void *__cxa_vec_new(word count, word size, word padding, constructor make, constructor destructor) {
  return __cxa_vec_new2(count, size, padding, make, destructor, of_operator_new, to_operator_delete);
}

void __cxa_vec_delete2(void *array, word size, word padding, constructor destructor, releaser release) {
  if (!array) return;
  char *block = (char *)array - padding;
  try {
    if (padding) __cxa_vec_dtor(array, ((word *)array)[-1], size, destructor);
  } catch (...) {
    release(block);
    throw;
  }
  release(block);
}

void __cxa_vec_delete3(void *array, word size, word padding, constructor destructor, sized_releaser release) {
  if (!array) return;
  char *block = (char *)array - padding;
  word count = padding ? ((word *)array)[-1] : 0;
  try {
    if (padding) __cxa_vec_dtor(array, count, size, destructor);
  } catch (...) {
    release(block, size * count + padding);
    throw;
  }
  release(block, size * count + padding);
}

void __cxa_vec_delete(void *array, word size, word padding, constructor destructor) {
  __cxa_vec_delete2(array, size, padding, destructor, to_operator_delete);
}
}

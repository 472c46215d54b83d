/* Mappings of files under the preloaded model are real ones, so that stores, copies on write, advice and moves do what they do
 * natively. A file that is mapped for the first time gets its contents moved to a memory file, of which both the kernel's view
 * (`inode->data`) and the program's mappings are mappings. */
#define hk_show_again hk_show_again_in_the_model
#define hk_is_shown hk_is_shown_in_the_model
#include "memory.c"
#undef hk_show_again
#undef hk_is_shown

#include "model.h"

int hk_is_shown(const struct inode *inode) { return homi_model_memory_file(inode->data) >= 0; }

/* A memory file ends with the last page that its file has something in: behind it is SIGBUS. */
void hk_show_again(struct inode *inode) {
  if (!hk_is_shown(inode)) return;
  inode->capacity = whole_pages(inode->size);
  homi_model_set_length(inode->data, inode->capacity);
}

long homi_model_map(long descriptor, long protection, long flags) {
  struct open_file *file = hk_file(descriptor);
  long error = check_file(file, protection, flags);
  if (error) return error;
  if (file->inode->operations->mapping != MAPS_THE_FILE) return HOMI_MODEL_COPIED;
  error = prepare(file->inode);
  if (error < 0) return error;
  if (!homi_model_share(&file->inode->data, file->inode->capacity)) return HOMI_MODEL_COPIED;
  hk_show_again(file->inode);
  return homi_model_memory_file(file->inode->data);
}

int homi_model_writes(long descriptor) {
  const struct open_file *file = hk_file(descriptor);
  return file && (file->flags & O_ACCMODE) == O_RDWR;
}

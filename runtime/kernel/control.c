/* Control messages of sockets: what goes along with bytes, from a sender's buffer and into a receiver's. A file in a queue is one
 * reference to it, as a descriptor is. */
#include "internal.h"

enum { RIGHTS = 1, CREDENTIALS = 2, CONTROL_HEAD = 16, LEVEL_SOCKET = 1 };

static void drop(struct open_file *file) {
  if (file->references == 1 && file->inode->locks) hk_forget_locks(file);
  hk_drop_file(file);
}

void hk_drop_luggage(struct luggage *luggage) {
  unsigned i;
  for (i = 0; luggage && i < luggage->count; i++) drop(luggage->files[i]);
  free(luggage);
}

struct luggage *hk_new_luggage(void) {
  struct luggage *luggage = calloc(1, sizeof *luggage);
  luggage->user[0] = hk.process;
  luggage->user[1] = (int32_t)homi_host_id(0);
  luggage->user[2] = (int32_t)homi_host_id(2);
  return luggage;
}

static long pack_files(struct luggage *luggage, const unsigned char *data, uint64_t n) {
  uint64_t i;
  if (luggage->count + n / 4 > MOST_FILES) return -EINVAL;
  for (i = 0; i + 4 <= n; i += 4) {
    int32_t descriptor;
    struct open_file *file;
    memcpy(&descriptor, data + i, 4);
    file = hk_file(descriptor);
    if (!file) return -EBADF;
    file->references++;
    luggage->files[luggage->count++] = file;
  }
  return 0;
}

/* Nobody but root may speak for others. */
static long pack_user(struct luggage *luggage, const unsigned char *data, uint64_t n) {
  int32_t user[3];
  if (n != sizeof user) return -EINVAL;
  memcpy(user, data, sizeof user);
  if (homi_host_id(1) != 0) {
    if (user[0] != hk.process || (user[1] != homi_host_id(0) && user[1] != homi_host_id(1))) return -EPERM;
    if (user[2] != homi_host_id(2) && user[2] != homi_host_id(3)) return -EPERM;
  } else if (user[0] != hk.process) {
    return -ESRCH;
  }
  memcpy(luggage->user, user, sizeof user);
  return 0;
}

/* Each message: its length with the head (64 bits), level and type (32 bits each), data; the next one starts at a multiple of 8. */
long hk_pack(struct luggage *luggage, const unsigned char *control, uint64_t n) {
  uint64_t at = 0, length;
  while (n >= at + CONTROL_HEAD) {
    int32_t kind[2];
    long error;
    memcpy(&length, control + at, 8);
    length = homi_concretize(length);
    memcpy(kind, control + at + 8, 8);
    if (length < CONTROL_HEAD || length > n - at) return -EINVAL;
    if (kind[0] == LEVEL_SOCKET) {
      if (kind[1] == RIGHTS) error = pack_files(luggage, control + at + CONTROL_HEAD, length - CONTROL_HEAD);
      else if (kind[1] == CREDENTIALS) error = pack_user(luggage, control + at + CONTROL_HEAD, length - CONTROL_HEAD);
      else error = -EINVAL;
      if (error < 0) return error;
    }
    at += (length + 7) & ~(uint64_t)7;
  }
  return 0;
}

static int put_message(struct control *control, int32_t type, const void *data, uint64_t n) {
  const uint64_t left = control->room - control->used, length = n + CONTROL_HEAD <= left ? n + CONTROL_HEAD : left;
  const int32_t kind[2] = {LEVEL_SOCKET, type};
  uint64_t step = (n + CONTROL_HEAD + 7) & ~(uint64_t)7;
  if (left < CONTROL_HEAD) {
    control->truncated = 1;
    return 0;
  }
  if (length < n + CONTROL_HEAD) control->truncated = 1;
  memcpy(control->base + control->used, &length, 8);
  memcpy(control->base + control->used + 8, kind, 8);
  memcpy(control->base + control->used + CONTROL_HEAD, data, length - CONTROL_HEAD);
  control->used += step < left ? step : left;
  return 1;
}

/* As many files as there is room for become descriptors. */
static void unpack_files(struct control *control, const struct luggage *luggage) {
  const uint64_t left = control->room - control->used;
  unsigned fit = left < CONTROL_HEAD ? 0 : (unsigned)((left - CONTROL_HEAD) / 4), done = 0;
  int32_t descriptors[MOST_FILES];
  if (fit > luggage->count) fit = luggage->count;
  for (; done < fit; done++) {
    const long descriptor = hk_install(luggage->files[done], 0, control->close_on_exec);
    if (descriptor < 0) break;
    descriptors[done] = (int32_t)descriptor;
  }
  if (done > 0) put_message(control, RIGHTS, descriptors, 4ull * done);
  if (done < luggage->count) control->truncated = 1;
}

/* Passes control data to a receiver: the sender if it asked (`with_user`), and the files. */
void hk_unpack(struct control *control, const struct luggage *luggage, int with_user) {
  if (with_user) {
    struct luggage *own_user = luggage ? 0 : hk_new_luggage();
    put_message(control, CREDENTIALS, (luggage ? luggage : own_user)->user, sizeof luggage->user);
    free(own_user);
  }
  if (luggage && luggage->count) unpack_files(control, luggage);
}

struct luggage *hk_copy_luggage(const struct luggage *from) {
  struct luggage *copy = malloc(sizeof *copy);
  unsigned i;
  memcpy(copy, from, sizeof *copy);
  for (i = 0; i < copy->count; i++) copy->files[i]->references++;
  return copy;
}

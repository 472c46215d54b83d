/* Files that the program created, changed or removed, at its exit. Replays compare them with
 * the engine's prediction, so both print the same lines with this code. */
#include "internal.h"

enum { SHOWN_BYTES = 24, LINE_LIMIT = 768, FILE_LIMIT = 40, DEPTH_LIMIT = 16 };

struct line {
  char text[LINE_LIMIT];
  unsigned length;
};

static unsigned files; /* reported so far */

static void put(struct line *line, const char *text, unsigned length) {
  unsigned i;
  for (i = 0; i < length && line->length < LINE_LIMIT - 1; i++)
    line->text[line->length++] = text[i] >= ' ' && text[i] < 127 ? text[i] : '.';
}

static void put_text(struct line *line, const char *text) { put(line, text, (unsigned)strlen(text)); }

static void put_number(struct line *line, uint64_t number, unsigned base) {
  char digits[24];
  unsigned n = sizeof digits;
  do {
    digits[--n] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number);
  put(line, digits + n, (unsigned)sizeof digits - n);
}

/* FNV-1a. */
static uint64_t hash(const unsigned char *bytes, uint64_t n) {
  uint64_t value = 0xcbf29ce484222325u, i;
  for (i = 0; i < n; i++) value = (value ^ bytes[i]) * 0x100000001b3u;
  return value;
}

static void put_contents(struct line *line, const struct inode *inode) {
  uint64_t size = (uint64_t)inode->stat->st_size, known = inode->size < size ? inode->size : size;
  put_text(line, " of ");
  put_number(line, size, 10);
  put_text(line, " bytes");
  if (known == 0) return;
  put_text(line, ", hash ");
  put_number(line, hash(inode->data, known), 16);
  put_text(line, ", begins with ");
  put(line, (const char *)inode->data, known < SHOWN_BYTES ? (unsigned)known : SHOWN_BYTES);
}

static void report(const char *what, const char *path, const struct inode *inode) {
  struct line line;
  line.length = 0;
  put_text(&line, what);
  put_text(&line, " ");
  put_text(&line, path);
  if (inode) {
    put_text(&line, ", mode ");
    put_number(&line, inode->stat->st_mode & 07777, 8);
    if (inode->kind == INODE_REGULAR) put_contents(&line, inode);
    if (inode->kind == INODE_LINK && inode->target) {
      put_text(&line, " to ");
      put_text(&line, inode->target);
    }
  }
  line.text[line.length++] = '\n';
  homi_output(3, line.text, line.length);
  files++;
}

/* The kinds that a program makes; symbolic files are the test's input. */
static void report_entry(const struct entry *entry, const char *path, unsigned depth);

static void report_directory(const struct inode *directory, const char *path, unsigned depth) {
  const struct entry *entry;
  char longer[PATH_LIMIT];
  unsigned length = (unsigned)strlen(path);
  if (depth == DEPTH_LIMIT) return;
  for (entry = directory->entries; entry && files < FILE_LIMIT; entry = entry->next) {
    if (length + entry->length + 2 > PATH_LIMIT) continue;
    memcpy(longer, path, length);
    memcpy(longer + length, entry->name, entry->length);
    longer[length + entry->length] = 0;
    report_entry(entry, longer, depth);
  }
}

static void report_entry(const struct entry *entry, const char *path, unsigned depth) {
  const struct inode *inode = entry->inode;
  if (!inode) {
    if (entry->from_host) report("removed", path, 0);
    return;
  }
  if (inode->kind == INODE_REGULAR && !inode->host_path) report("file", path, inode);
  if (inode->kind == INODE_LINK && !inode->host_path) report("link", path, inode);
  if (inode->kind == INODE_DIRECTORY) {
    char below[PATH_LIMIT];
    unsigned length = (unsigned)strlen(path);
    if (!inode->host_path) report("directory", path, inode);
    if (length + 2 > PATH_LIMIT) return;
    memcpy(below, path, length);
    below[length] = '/';
    below[length + 1] = 0;
    report_directory(inode, below, depth + 1);
  }
}

/* Once: the directory in which the program started, and /tmp. */
void hk_report_files(void) {
  struct inode *temporary = hk_known_entry(hk.root, "tmp", 3) ? hk_known_entry(hk.root, "tmp", 3)->inode : 0;
  static int reported;
  if (reported++) return;
  homi_output(3, "files\n", 6);
  if (hk.first_directory) report_directory(hk.first_directory, "", 0);
  if (temporary && temporary != hk.first_directory) report_directory(temporary, "/tmp/", 0);
}

void hk_exit(int status) {
  if (homi_predicts()) hk_report_files();
  homi_exit(status);
}

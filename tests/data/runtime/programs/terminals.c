// Pseudo-terminals as far as a system without any answers too: what is no terminal, and either none or one whose ends talk.
#include <fcntl.h>
#include <pty.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include "show.h"

/* A pair in raw mode: what one end writes the other reads. */
static int ends_talk(int master, int slave) {
  struct termios raw;
  char text[8] = "";
  if (tcgetattr(slave, &raw) != 0) return 0;
  cfmakeraw(&raw);
  return tcsetattr(slave, TCSANOW, &raw) == 0 && write(master, "ab", 2) == 2 && read(slave, text, 8) == 2 && write(slave, "cd", 2) == 2 && read(master, text + 2, 4) == 2 && strcmp(text, "abcd") == 0;
}

int main(void) {
  char name[64];
  int file = open("host.txt", O_RDWR), master, slave, pair[2];
  CALL(grantpt(-1)), CALL(unlockpt(-1)), CALL(unlockpt(file)), SHOW(ptsname(file) == NULL), SHOW(errno), SHOW(ptsname_r(file, name, sizeof name)), SHOW(ptsname_r(-1, name, sizeof name));
  CALL(isatty(file)), CALL(tcgetpgrp(file)), CALL(tcsetpgrp(file, 1)), CALL(tcgetsid(file)), SHOW(ttyname(file) == NULL), SHOW(ttyname_r(file, name, sizeof name)), SHOW(ctermid(name) == name), SHOW_TEXT(name), CALL(login_tty(file));
  master = posix_openpt(O_RDWR | O_NOCTTY);
  SHOW(master == -1 || (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, name, sizeof name) == 0 && (slave = open(name, O_RDWR | O_NOCTTY)) != -1 && isatty(slave) && ends_talk(master, slave)));
  const struct winsize size = {30, 100, 0, 0};
  SHOW(openpty(&master, &slave, NULL, NULL, &size) == -1 || ends_talk(master, slave));
  return 0;
}

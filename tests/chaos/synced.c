/* What would be left of Redis' append-only file after a power cut.
 *
 * Preloaded into redis-server, this notes after each sync of an incremental append-only file how long the file was
 * when that sync began: so much is certainly on the disk. The note is the length in decimal digits, in a file of the
 * same name in the folder $SYNCED_NOTES. It outlives a kill -9, as the system keeps what a process has written.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER; /* Redis syncs in its main thread and in another */

/* The name of the file without its folders, if it is an incremental append-only file; NULL for any other. */
static const char *name_of(int fd, char *path, size_t size) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return NULL;
  path[length] = 0;
  const char *name = strrchr(path, '/'), *end = ".incr.aof";
  if (!name || (size_t)length < strlen(end) || strcmp(path + length - strlen(end), end)) return NULL;
  return name + 1;
}

static void note(const char *name, long long length) {
  const char *folder = getenv("SYNCED_NOTES");
  char path[4096], text[24] = "";
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  pthread_mutex_lock(&one_at_a_time);
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) {
    if (pread(fd, text, sizeof text - 1, 0) >= 0 && atoll(text) < length) {
      int digits = snprintf(text, sizeof text, "%020lld", length);
      if (pwrite(fd, text, digits, 0) != digits) abort();
    }
    close(fd);
  }
  pthread_mutex_unlock(&one_at_a_time);
}

static int synced(int fd, const char *call) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, call);
  char path[4096];
  struct stat before;
  const char *name = name_of(fd, path, sizeof path);
  if (name && fstat(fd, &before)) name = NULL;
  int result = real(fd);
  if (name && !result) note(name, (long long)before.st_size);
  return result;
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }

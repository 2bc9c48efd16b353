// SPDX-License-Identifier: GPL-2.0
/*
 * Whole files in and out.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* More than any node holds. */
#define SIZE_LIMIT (4ULL << 30)

static void *read_open_file(const struct cli *cli, const char *path, FILE *file, size_t *size)
{
	struct stat st;
	void *bytes;

	if (fstat(fileno(file), &st) || !S_ISREG(st.st_mode)) {
		cli_fail(cli, "%s: not a regular file; name one", path);
		return NULL;
	}
	if ((uint64_t)st.st_size > SIZE_LIMIT) {
		cli_fail(cli, "%s: %lld bytes are more than a node holds; take a part of it", path,
			 (long long)st.st_size);
		return NULL;
	}
	*size = st.st_size;
	bytes = malloc(*size ? *size : 1);
	if (bytes && fread(bytes, 1, *size, file) == *size)
		return bytes;
	free(bytes);
	cli_fail(cli, "%s: cannot read %zu bytes: %m", path, *size);
	return NULL;
}

void *cli_read_file(const struct cli *cli, const char *path, size_t *size)
{
	FILE *file = fopen(path, "rbe");
	void *bytes;

	if (!file) {
		cli_fail(cli, "%s: %m", path);
		return NULL;
	}
	bytes = read_open_file(cli, path, file, size);
	fclose(file);
	return bytes;
}

int cli_write_file(const struct cli *cli, const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wbe");
	bool whole;

	if (!file)
		return cli_fail(cli, "%s: %m", path);
	whole = fwrite(bytes, 1, size, file) == size;
	if (fclose(file) || !whole)
		return cli_fail(cli, "%s: cannot write %zu bytes: %m", path, size);
	return CLI_OK;
}

// SPDX-License-Identifier: GPL-2.0

#include "npy.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAGIC "\x93NUMPY"
#define MAGIC_SIZE 6
/* The header and what comes before it fill whole units of this. */
#define HEADER_UNIT 64

/* What is left of the header's text. */
struct cursor {
	const char *at, *end;
};

const struct npy_type npy_fp16 = { "<f2", 2 }, npy_bytes = { "|u1", 1 };

/* What was found in it, and must be. */
struct found {
	const struct npy_type *type;
	bool descr, order, shape;
};

static int refuse(struct kohaku_reason *reason, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(struct kohaku_reason *reason, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reason->text, sizeof(reason->text), format, args);
	va_end(args);
	reason->position = -1;
	return error;
}

static int malformed(struct kohaku_reason *reason)
{
	return refuse(reason, -EINVAL, "the header is no Python dictionary of an array");
}

static void skip_spaces(struct cursor *text)
{
	while (text->at < text->end && strchr(" \t\n", *text->at) && *text->at)
		text->at++;
}

/* Takes a text if it comes next. */
static bool take(struct cursor *text, const char *expected)
{
	size_t length = strlen(expected);

	skip_spaces(text);
	if ((size_t)(text->end - text->at) < length || memcmp(text->at, expected, length))
		return false;
	text->at += length;
	return true;
}

/* What a header holds may be shown to people: no control characters, no escapes. */
static bool printable(const char *text, size_t length)
{
	while (length && *text >= ' ' && *text <= '~') {
		text++;
		length--;
	}
	return !length;
}

/* Takes 'text' or "text". */
static bool take_string(struct cursor *text, char *string, size_t size)
{
	const char *close;
	char quote;

	skip_spaces(text);
	if (text->at == text->end || (*text->at != '\'' && *text->at != '"'))
		return false;
	quote = *text->at++;
	close = memchr(text->at, quote, text->end - text->at);
	if (!close || (size_t)(close - text->at) >= size ||
	    !printable(text->at, close - text->at))
		return false;
	memcpy(string, text->at, close - text->at);
	string[close - text->at] = 0;
	text->at = close + 1;
	return true;
}

static bool take_number(struct cursor *text, uint64_t *number)
{
	const char *start;

	skip_spaces(text);
	start = text->at;
	*number = 0;
	while (text->at < text->end && *text->at >= '0' && *text->at <= '9') {
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*text->at - '0'), number))
			return false;
		text->at++;
	}
	return text->at > start;
}

static int parse_descr(struct cursor *text, const struct npy_type *type,
		       struct kohaku_reason *reason)
{
	char descr[32];

	if (!take_string(text, descr, sizeof(descr)))
		return refuse(reason, -EOPNOTSUPP, "the elements are no plain numbers; "
			      "save it as '%s'", type->descr);
	if (!strcmp(descr, type->descr))
		return 0;
	if (!strcmp(descr, ">f2"))
		return refuse(reason, -EOPNOTSUPP, "the elements are big-endian; save it as '%s'",
			      type->descr);
	return refuse(reason, -EOPNOTSUPP, "the element type is '%s'; save it as '%s'", descr,
		      type->descr);
}

static int parse_order(struct cursor *text, struct kohaku_reason *reason)
{
	if (take(text, "False"))
		return 0;
	if (take(text, "True"))
		return refuse(reason, -EOPNOTSUPP, "the array is in Fortran order; "
			      "save it in C order");
	return malformed(reason);
}

/* "(1152, 192)", "(5,)", "()" */
static int parse_shape(struct cursor *text, struct npy *npy, struct kohaku_reason *reason)
{
	struct kohaku_shape *shape = &npy->shape;
	bool comma = true;
	uint64_t number;

	if (!take(text, "("))
		return malformed(reason);
	while (comma && take_number(text, &number)) {
		if (shape->ndim == KOHAKU_SHAPE_DIMS)
			return refuse(reason, -EOPNOTSUPP, "the array has more than %d dimensions",
				      KOHAKU_SHAPE_DIMS);
		shape->dims[shape->ndim++] = number;
		if (__builtin_mul_overflow(npy->elements, number, &npy->elements))
			return refuse(reason, -EINVAL, "the shape is too large");
		comma = take(text, ",");
	}
	if (!take(text, ")"))
		return malformed(reason);
	if (!shape->ndim || !npy->elements)
		return refuse(reason, -EOPNOTSUPP, "the array is %s",
			      shape->ndim ? "empty" : "a single number without a shape");
	return 0;
}

static int parse_item(struct cursor *text, struct npy *npy, struct found *found,
		      struct kohaku_reason *reason)
{
	char key[32];
	bool *seen;
	int err;

	if (!take_string(text, key, sizeof(key)) || !take(text, ":"))
		return malformed(reason);
	if (!strcmp(key, "descr")) {
		seen = &found->descr;
		err = parse_descr(text, found->type, reason);
	} else if (!strcmp(key, "fortran_order")) {
		seen = &found->order;
		err = parse_order(text, reason);
	} else if (!strcmp(key, "shape")) {
		seen = &found->shape;
		err = *seen ? 0 : parse_shape(text, npy, reason);
	} else {
		return refuse(reason, -EINVAL, "the header has an unknown key '%s'", key);
	}
	if (!err && *seen)
		return refuse(reason, -EINVAL, "the header has the key '%s' twice", key);
	*seen = true;
	return err;
}

static int parse_dictionary(struct cursor text, const struct npy_type *type, struct npy *npy,
			    struct kohaku_reason *reason)
{
	struct found found = { .type = type };
	bool comma = true;
	int err;

	if (!take(&text, "{"))
		return malformed(reason);
	while (!take(&text, "}")) {
		err = comma ? parse_item(&text, npy, &found, reason) : malformed(reason);
		if (err)
			return err;
		comma = take(&text, ",");
	}
	skip_spaces(&text);
	if (text.at != text.end || !found.descr || !found.order || !found.shape)
		return malformed(reason);
	return 0;
}

/* Finds the text of the header by the version in front of it. */
static int find_header(const unsigned char *file, size_t size, struct cursor *text,
		       struct kohaku_reason *reason)
{
	size_t length, start = MAGIC_SIZE + 2;

	if (size < start + 4 || memcmp(file, MAGIC, MAGIC_SIZE))
		return refuse(reason, -EINVAL, "not a .npy file");
	length = file[start] | file[start + 1] << 8;
	if (file[MAGIC_SIZE] == 2)
		length |= (size_t)file[start + 2] << 16 | (size_t)file[start + 3] << 24;
	else if (file[MAGIC_SIZE] != 1)
		return refuse(reason, -EOPNOTSUPP, "a .npy file of version %d; save it as "
			      "version 1 or 2", file[MAGIC_SIZE]);
	start += file[MAGIC_SIZE] == 2 ? 4 : 2;
	if (length > size - start)
		return refuse(reason, -EINVAL, "the file ends within its header");
	*text = (struct cursor){ (const char *)file + start, (const char *)file + start + length };
	return 0;
}

int npy_parse_as(const struct npy_type *type, const void *file, size_t size, struct npy *npy,
		 struct kohaku_reason *reason)
{
	struct cursor text = { 0 };
	size_t data;
	int err = find_header(file, size, &text, reason);

	*npy = (struct npy){ .elements = 1 };
	if (!err)
		err = parse_dictionary(text, type, npy, reason);
	if (err)
		return err;
	npy->data_offset = text.end - (const char *)file;
	data = size - npy->data_offset;
	if (npy->elements > data / type->size)
		return refuse(reason, -EINVAL, "the file is cut short: %zu bytes of data for "
			      "%llu elements", data, (unsigned long long)npy->elements);
	if (data != npy->elements * type->size)
		return refuse(reason, -EINVAL, "%llu bytes too many after the data",
			      (unsigned long long)(data - npy->elements * type->size));
	return 0;
}

int npy_parse(const void *file, size_t size, struct npy *npy, struct kohaku_reason *reason)
{
	return npy_parse_as(&npy_fp16, file, size, npy, reason);
}

static int append(char *text, int at, size_t size, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static int append(char *text, int at, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	at += vsnprintf(text + at, size - at, format, args);
	va_end(args);
	return at;
}

size_t npy_header_as(const struct npy_type *type, const struct kohaku_shape *shape,
		     char header[NPY_HEADER_MAX])
{
	size_t start = MAGIC_SIZE + 4, length;
	char *text = header + start;
	size_t room = NPY_HEADER_MAX - start;
	int at;
	uint32_t i;

	at = append(text, 0, room, "{'descr': '%s', 'fortran_order': False, 'shape': (",
		    type->descr);
	for (i = 0; i < shape->ndim; i++)
		at = append(text, at, room, "%s%llu", i ? ", " : "",
			    (unsigned long long)shape->dims[i]);
	at = append(text, at, room, shape->ndim == 1 ? ",), }" : "), }");
	length = (start + at + 1 + HEADER_UNIT - 1) / HEADER_UNIT * HEADER_UNIT - start;
	memset(text + at, ' ', length - at - 1);
	text[length - 1] = '\n';
	memcpy(header, MAGIC "\x01\x00", MAGIC_SIZE + 2);
	header[MAGIC_SIZE + 2] = length & 0xff;
	header[MAGIC_SIZE + 3] = length >> 8;
	return start + length;
}

size_t npy_header(const struct kohaku_shape *shape, char header[NPY_HEADER_MAX])
{
	return npy_header_as(&npy_fp16, shape, header);
}

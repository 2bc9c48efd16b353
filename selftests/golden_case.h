/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recorded moves: the text of golden/mover/ read case by case, and the register
 * writes of a case turned back into the descriptor that asks for them.
 */
#ifndef SELFTESTS_GOLDEN_CASE_H
#define SELFTESTS_GOLDEN_CASE_H

#include "kohaku_test.h"

#define GOLDEN_PAGE 4096
#define GOLDEN_MAX_MEM 4096
#define GOLDEN_MAX_PAGES 4096

struct golden_word {
	__u64 address;
	unsigned char bytes[WORD];
};

struct golden_page {
	__u64 address, digest;
};

/* The mover's registers, as a case leaves them when it says GO. */
struct golden_walker {
	__u64 base;
	__u32 ndim;
	struct kohaku_dim dims[8];
	struct kohaku_window windows[2];
};

struct golden_case {
	char name[64];
	unsigned int rule;
	__u64 seed;
	unsigned int mems, pages, gos;
	bool slot;		/* it touches the slot's registers as well */
	struct golden_word mem[GOLDEN_MAX_MEM];
	struct golden_page page[GOLDEN_MAX_PAGES];
	/* Of the first GO. */
	unsigned int mode, width, flags, fault, burst_stable;
	__u64 reads, read_beats, writes, write_beats;
	struct golden_walker walker[2];
	unsigned int select, staged_dim;
	struct kohaku_dim staged;
	__u32 xform, xform_mode, imm, index_count, pitch, row_words;
	__u64 index_base, gather_base;
};

static inline __u64 golden_bits(__u64 value, unsigned int hi, unsigned int lo)
{
	return value >> lo & (~0ULL >> (63 - (hi - lo)));
}

static inline void golden_window(struct golden_case *c, __u64 value)
{
	struct kohaku_window *window;

	c->select = value & 1;
	window = &c->walker[c->select].windows[value >> 1 & 1];
	window->base = (__s16)golden_bits(value, 17, 2);
	window->extent = golden_bits(value, 33, 18);
}

static inline void golden_header(struct golden_case *c, __u64 value)
{
	c->select = value & 1;
	c->walker[c->select].base = golden_bits(value, 43, 4);
	c->walker[c->select].ndim = golden_bits(value, 46, 44);
	if (c->select)
		return;
	c->gather_base = c->walker[0].base;
	c->xform = golden_bits(value, 50, 47);
	c->xform_mode = golden_bits(value, 58, 55);
}

/* One register write; true when it starts the move. */
static inline bool golden_register(struct golden_case *c, unsigned int offset, __u64 value)
{
	switch (offset) {
	case 0x00:
		c->mode = golden_bits(value, 2, 0);
		c->width = golden_bits(value, 4, 3);
		c->flags = golden_bits(value, 15, 8);
		return value >> 16 & 1;
	case 0x10:
		golden_header(c, value);
		break;
	case 0x18:
		c->select = value & 1;
		c->staged_dim = golden_bits(value, 3, 1);
		c->staged.count = golden_bits(value, 19, 4);
		c->staged.stride = (__s32)golden_bits(value, 51, 20);
		break;
	case 0x20:
		c->staged.axis = golden_bits(value, 1, 0) % 3;
		c->staged.step = golden_bits(value, 17, 2);
		c->walker[c->select].dims[c->staged_dim] = c->staged;
		break;
	case 0x28:
		golden_window(c, value);
		break;
	case 0x30:
		c->index_base = golden_bits(value, 39, 0);
		c->index_count = golden_bits(value, 55, 40);
		break;
	case 0x40:
		c->imm = value;
		break;
	case 0x50:
		c->pitch = value;
		c->row_words = golden_bits(value, 47, 32);
		break;
	}
	return false;
}

static inline __u64 golden_key(const char *line, const char *key)
{
	char pattern[32];
	const char *at;

	snprintf(pattern, sizeof(pattern), " %s=", key);
	at = strstr(line, pattern);
	return at ? strtoull(at + strlen(pattern), NULL, 10) : 0;
}

static inline void golden_expect(struct golden_case *c, const char *line)
{
	c->fault = golden_key(line, "fault");
	c->burst_stable = golden_key(line, "burststable");
	c->reads = golden_key(line, "ar");
	c->read_beats = golden_key(line, "rbeats");
	c->writes = golden_key(line, "aw");
	c->write_beats = golden_key(line, "wbeats");
}

static inline void golden_mem(struct golden_case *c, const char *line)
{
	struct golden_word *word = &c->mem[c->mems];
	char digits[2 * WORD + 1];
	unsigned int byte;

	if (c->mems == GOLDEN_MAX_MEM ||
	    sscanf(line, "mem %llx %64s", &word->address, digits) != 2)
		return;
	for (unsigned int i = 0; i < WORD; i++) {
		sscanf(digits + 2 * (WORD - 1 - i), "%2x", &byte);
		word->bytes[i] = byte;
	}
	c->mems++;
}

/* Reads up to the end of the next case; false at the end of the file. */
static inline bool golden_next(FILE *file, struct golden_case *c)
{
	static char line[65536];
	unsigned int offset;
	__u64 value;

	memset(c, 0, sizeof(*c));
	c->width = 1;
	c->row_words = 1;
	c->staged.count = 1;
	c->walker[0].ndim = 1;
	c->walker[1].ndim = 1;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "case %63s", c->name) == 1)
			continue;
		if (!strncmp(line, "end", 3))
			return true;
		if (sscanf(line, "reg %x %llx", &offset, &value) == 2 && c->gos < 2)
			c->gos += c->gos ? value >> 16 & !offset :
					   golden_register(c, offset, value);
		else if (!strncmp(line, "expect ", 7) && c->gos == 1)
			golden_expect(c, line);
		else if (sscanf(line, "page %llx %llx", &c->page[c->pages].address,
				&c->page[c->pages].digest) == 2 && c->pages + 1 < GOLDEN_MAX_PAGES)
			c->pages++;
		else if (!strncmp(line, "xclr", 4))
			c->slot = true;
		else if (!sscanf(line, "rule %u %llx", &c->rule, &c->seed))
			golden_mem(c, line);
	}
	return false;
}

/* What a word holds before the case: its rule, unless a line says otherwise. */
static inline void golden_word(const struct golden_case *c, __u64 address, void *bytes)
{
	__u64 w = address >> 5;

	for (unsigned int j = 0; j < 4; j++) {
		__u64 z = c->seed + (w * 4 + j) * 0x9e3779b97f4a7c15;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		z ^= z >> 31;
		for (unsigned int h = 0; c->rule == 1 && h < 64; h += 16) {
			__u64 x = z >> h & 0xffff;

			x = (x & 0x83ff) | (((x >> 10 & 7) + (w >> 3 & 15) + 1) << 10);
			z = (z & ~(0xffffULL << h)) | (x & 0xffff) << h;
		}
		memcpy((char *)bytes + 8 * j, &z, 8);
	}
	for (unsigned int i = 0; i < c->mems; i++)
		if (c->mem[i].address == address)
			memcpy(bytes, c->mem[i].bytes, WORD);
}

/* FNV-1a of 64 bits, as the records digest a page. */
static inline __u64 golden_digest(const unsigned char *bytes, size_t length)
{
	__u64 digest = 0xcbf29ce484222325;

	while (length--)
		digest = (digest ^ *bytes++) * 0x100000001b3;
	return digest;
}

/* $KOHAKU_GOLDEN, or beside the tests, or below the project's root. */
static inline FILE *golden_open(const char *name)
{
	const char *folders[] = { getenv("KOHAKU_GOLDEN"), "golden/mover",
				  "selftests/golden/mover", "/kohaku/selftests/golden/mover" };
	FILE *file = NULL;

	for (unsigned int i = 0; i < ARRAY_SIZE(folders) && !file; i++) {
		char path[512];

		if (!folders[i])
			continue;
		snprintf(path, sizeof(path), "%s/%s", folders[i], name);
		file = fopen(path, "r");
	}
	return file;
}

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * Moves recorded from the hardware, replayed through /dev/kohaku: bytes, faults
 * and bursts.  Two buffers stand for the parts of the address map that a case
 * reads and writes.  What the interface refuses on purpose has no descriptor: it
 * is counted by reason.
 */
#include "golden_case.h"
#include "move_model.h"

#define REGION_MAX (8ULL << 20)

/* A stretch of the recorded address map and the buffer that stands for it. */
struct region {
	model_int start, end;
	__u32 buffer;
};

struct replay {
	int fd;
	bool counters, slot;
	struct golden_case *c;
	struct region src, dst;
	struct kohaku_op op;
	__u32 indices[2048];
	unsigned int replayed, skipped;
};

/* Why a case has no descriptor; NULL when it has one. */
static const char *walker_reason(const struct golden_walker *golden, struct kohaku_walker *walker)
{
	/* 0 and 7 dimensions, and a count of 0, are other ways to say 1, 6 and 1. */
	walker->ndim = golden->ndim > 6 ? 6 : golden->ndim ? golden->ndim : 1;
	for (__u32 k = 0; k < walker->ndim; k++) {
		walker->dims[k] = golden->dims[k];
		if (!golden->ndim || !walker->dims[k].count)
			walker->dims[k].count = 1;
	}
	memcpy(walker->windows, golden->windows, sizeof(golden->windows));
	walker->offset = golden->base;
	return model_elements(walker) > 65536 ? "too many elements" : NULL;
}

/* Coordinates and offsets that the hardware would wrap. */
static const char *wrap_reason(const struct kohaku_walker *walker)
{
	model_int low[2], high[2], reach[2] = { 0, 0 };

	for (int axis = 0; axis < 2; axis++) {
		low[axis] = walker->windows[axis].base;
		high[axis] = low[axis];
	}
	for (__u32 k = 0; k < walker->ndim; k++) {
		const struct kohaku_dim *dim = &walker->dims[k];
		model_int step = (model_int)dim->step * (dim->count - 1);
		model_int move = (model_int)dim->stride * (dim->count - 1);

		reach[move > 0] += move;
		if (dim->axis)
			*(step > 0 ? &high[dim->axis - 1] : &low[dim->axis - 1]) += step;
	}
	for (int axis = 0; axis < 2; axis++)
		if (low[axis] < INT16_MIN || high[axis] > INT16_MAX)
			return "a coordinate wraps";
	return reach[0] < INT32_MIN || reach[1] > INT32_MAX ? "an offset wraps" : NULL;
}

static void region_add(struct region *region, model_int byte, unsigned int bytes)
{
	model_int start = byte & ~(model_int)(GOLDEN_PAGE - 1);
	model_int end = (byte + bytes + GOLDEN_PAGE - 1) & ~(model_int)(GOLDEN_PAGE - 1);

	if (region->start == region->end) {
		region->start = start;
		region->end = end;
	}
	region->start = start < region->start ? start : region->start;
	region->end = end > region->end ? end : region->end;
}

/* What a walk touches in its first elements; words of each are consecutive. */
static const char *region_walk(struct region *region, const struct kohaku_walker *walker,
			       __u64 elements, unsigned int words, bool aligned)
{
	for (__u64 n = 0; n < elements; n++) {
		struct model_element element = model_element(walker, n);

		if (!element.inside)
			continue;
		if (element.byte < 0 || element.byte + words * WORD > (model_int)1 << 40)
			return "the address wraps";
		if (aligned && (__u64)element.byte % (words * WORD))
			return "not aligned";
		region_add(region, element.byte, words * WORD);
	}
	return region->end - region->start > (model_int)REGION_MAX ? "too far apart" : NULL;
}

static bool strides_aligned(const struct kohaku_walker *walker, unsigned int granule)
{
	for (__u32 k = 0; k < walker->ndim; k++)
		if (walker->dims[k].count > 1 && walker->dims[k].stride % granule)
			return false;
	return !(walker->offset % granule);
}

static const char *copy_reason(struct replay *r)
{
	struct kohaku_move *move = &r->op.move;
	const char *reason = walker_reason(&r->c->walker[0], &move->src);

	if (!reason)
		reason = wrap_reason(&move->src);
	if (!reason && model_elements(&move->src) < model_elements(&move->dst))
		reason = "the source is shorter";
	if (!reason && !strides_aligned(&move->src, WORD))
		reason = "the source is not aligned";
	return reason ?: region_walk(&r->src, &move->src, model_elements(&move->dst), 1, true);
}

static const char *gather_reason(struct replay *r)
{
	struct kohaku_move *move = &r->op.move;
	__u64 elements = model_elements(&move->dst), base = r->c->gather_base;

	if (!r->c->row_words || !r->c->index_count || r->c->index_count > 2048)
		return "no such gather";
	if (elements > (__u64)r->c->row_words * r->c->index_count)
		return "fewer rows than it takes";
	if (r->c->pitch % WORD || base % WORD)
		return "the source is not aligned";
	if (r->c->index_base % WORD)
		return "the indices are not aligned";
	for (__u32 i = 0; i < r->c->index_count; i += 8)
		golden_word(r->c, r->c->index_base + 4 * i, &r->indices[i]);
	for (__u64 row = 0; row * r->c->row_words < elements; row++) {
		__u64 product = (__u64)r->indices[row] * r->c->pitch;
		__u64 words = elements - row * r->c->row_words;

		words = words < r->c->row_words ? words : r->c->row_words;
		if (product > UINT32_MAX || base + product + words * WORD > 1ULL << 40)
			return "a row wraps";
		region_add(&r->src, base + product, words * WORD);
	}
	move->indices = user_address(r->indices);
	move->index_count = r->c->index_count;
	move->pitch = r->c->pitch;
	move->row_words = r->c->row_words;
	move->src.offset = base;
	return r->src.end - r->src.start > (model_int)REGION_MAX ? "too far apart" : NULL;
}

/* The recorded slot takes eight words an entry, whoever sits in it. */
static const char *xform_reason(struct replay *r)
{
	struct kohaku_move *move = &r->op.move;
	const char *reason = walker_reason(&r->c->walker[0], &move->src);
	__u64 entries = model_elements(&move->src) / 8;

	if (!r->slot)
		return "the slot is out of the host's reach";
	if (reason || (reason = wrap_reason(&move->src)))
		return reason;
	if (r->c->xform != 1 || r->c->slot)
		return "not the quantiser";
	if (model_elements(&move->src) % 8)
		return "not whole entries";
	if (model_elements(&move->dst) < entries)
		return "fewer places than entries";
	for (int axis = 0; axis < 2; axis++)
		if (move->src.windows[axis].extent || move->dst.windows[axis].extent)
			return "windows on a transform";
	if (!strides_aligned(&move->src, WORD))
		return "the source is not aligned";
	if (!strides_aligned(&move->dst, 4 * WORD))
		return "entries are not aligned";
	move->xform = r->c->xform;
	move->xform_mode = r->c->xform_mode;
	move->imm = 0;
	move->width = 0;
	reason = region_walk(&r->src, &move->src, model_elements(&move->src), 1, true);
	return reason ?: region_walk(&r->dst, &move->dst, entries, 4, true);
}

/* Builds the descriptor of a case, with recorded addresses for offsets. */
static const char *translate(struct replay *r)
{
	const struct golden_case *c = r->c;
	struct kohaku_move *move = &r->op.move;
	const char *reason;

	memset(&r->op, 0, sizeof(r->op));
	memset(&r->src, 0, sizeof(r->src));
	memset(&r->dst, 0, sizeof(r->dst));
	r->op.opcode = KOHAKU_OP_MOVE;
	move->mode = c->mode > 5 ? KOHAKU_MOVE_COPY : c->mode;
	move->width = c->width;
	move->flags = c->flags & 8 ? KOHAKU_MOVE_COALESCE : 0;
	move->burst_cap = c->flags >> 5;
	move->imm = c->imm;
	if (c->gos != 1)
		return "more than one move";
	if (c->width == 3 || c->mode == 1)
		return "not built into the mover";
	if (c->mode == KOHAKU_MOVE_GENERATE)
		return "depends on the address";
	if ((reason = walker_reason(&c->walker[1], &move->dst)) ||
	    (reason = wrap_reason(&move->dst)))
		return reason;
	if (move->mode == KOHAKU_MOVE_XFORM)
		return xform_reason(r);
	if (move->mode == KOHAKU_MOVE_GATHER)
		reason = gather_reason(r);
	else if (move->mode == KOHAKU_MOVE_COPY)
		reason = copy_reason(r);
	return reason ?: region_walk(&r->dst, &move->dst, model_elements(&move->dst), 1, false);
}

/* The buffer that stands for a region, with what the record says is in it. */
static int region_make(struct replay *r, struct region *region)
{
	__u64 length = region->end - region->start;
	unsigned char *bytes;
	int err;

	if (!length)
		length = GOLDEN_PAGE;
	err = _test_alloc(r->fd, KOHAKU_TIER_DRAM, length, &region->buffer);
	if (err)
		return err;
	bytes = malloc(length);
	for (__u64 at = 0; at < length; at += WORD)
		golden_word(r->c, region->start + at, bytes + at);
	err = _test_write(r->fd, region->buffer, 0, length, bytes);
	free(bytes);
	return err;
}

FIXTURE(golden)
{
	struct replay *replay;
	FILE *file;
};

FIXTURE_VARIANT(golden)
{
	const char *name;
	unsigned int at_least;	/* cases that must have a descriptor */
	bool slot;		/* all of them are transforms */
};

FIXTURE_VARIANT_ADD(golden, copy) { "copy.txt", 100 };
FIXTURE_VARIANT_ADD(golden, fill) { "fillgen.txt", 20 };
FIXTURE_VARIANT_ADD(golden, fault) { "fault.txt", 10 };
FIXTURE_VARIANT_ADD(golden, gather) { "gather_fixed.txt", 30 };
FIXTURE_VARIANT_ADD(golden, xform) { "xform.txt", 30, true };
FIXTURE_VARIANT_ADD(golden, large) { "large_fixed.txt", 5 };

FIXTURE_SETUP(golden)
{
	struct kohaku_info info;

	self->replay = calloc(1, sizeof(*self->replay));
	self->replay->c = calloc(1, sizeof(*self->replay->c));
	self->replay->fd = open_node(_metadata);
	self->file = golden_open(variant->name);
	if (!self->file)
		SKIP_SETUP("no records: %s", variant->name);
	test_info(self->replay->fd, &info);
	self->replay->counters = info.out_caps & KOHAKU_CAP_COUNTERS;
	self->replay->slot = info.out_caps & KOHAKU_CAP_SLOT;
	if (variant->slot && !self->replay->slot)
		SKIP_SETUP("the slot is out of the host's reach");
}

FIXTURE_TEARDOWN(golden)
{
	fclose(self->file);
	close(self->replay->fd);
}

static void compare_bursts(struct __test_metadata *_metadata, const struct golden_case *c,
			   const struct kohaku_completion *done)
{
	EXPECT_EQ(c->read_beats, done->read_beats);
	EXPECT_EQ(c->write_beats, done->write_beats);
	if (!c->burst_stable)
		return;
	EXPECT_EQ(c->reads, done->read_bursts);
	EXPECT_EQ(c->writes, done->write_bursts);
}

static void compare_pages(struct __test_metadata *_metadata, const struct replay *r)
{
	for (unsigned int i = 0; i < r->c->pages; i++) {
		unsigned char bytes[GOLDEN_PAGE];
		const struct golden_page *page = &r->c->page[i];

		ASSERT_LE((__u64)r->dst.start, page->address);
		test_read(r->fd, r->dst.buffer, page->address - r->dst.start, GOLDEN_PAGE, bytes);
		EXPECT_EQ(page->digest, golden_digest(bytes, GOLDEN_PAGE));
	}
}

static void replay_case(struct __test_metadata *_metadata, struct replay *r)
{
	struct kohaku_move *move = &r->op.move;
	struct kohaku_submit submit;

	ASSERT_EQ(0, region_make(r, &r->src));
	ASSERT_EQ(0, region_make(r, &r->dst));
	move->dst.buffer = r->dst.buffer;
	move->dst.offset -= r->dst.start;
	if (move->mode != KOHAKU_MOVE_FILL) {
		move->src.buffer = r->src.buffer;
		move->src.offset -= r->src.start;
	}
	ASSERT_EQ(0, _test_submit(r->fd, &r->op, 1, 0, &submit));
	EXPECT_EQ(r->c->fault, submit.completion.fault);
	EXPECT_EQ(r->c->fault ? -EIO : 0, submit.completion.status);
	EXPECT_EQ(r->c->write_beats, submit.completion.words);
	if (r->counters)
		compare_bursts(_metadata, r->c, &submit.completion);
	compare_pages(_metadata, r);
	test_free(r->fd, r->src.buffer);
	test_free(r->fd, r->dst.buffer);
}

/* F02 */
TEST_F_TIMEOUT(golden, replay, 120)
{
	struct replay *r = self->replay;

	while (golden_next(self->file, r->c)) {
		const char *reason = translate(r);

		if (reason) {
			fprintf(stderr, "# %s: %s\n", r->c->name, reason);
			r->skipped++;
			continue;
		}
		replay_case(_metadata, r);
		if (!_metadata->passed) {
			TH_LOG("in case %s", r->c->name);
			break;
		}
		r->replayed++;
	}
	TH_LOG("%s: %u replayed, %u without a descriptor", variant->name, r->replayed, r->skipped);
	EXPECT_LE(variant->at_least, r->replayed);
}

TEST_HARNESS_MAIN

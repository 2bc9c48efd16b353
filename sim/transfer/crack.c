// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The lamlet turns an operation into kinstructions.
 *
 * Unit-stride: the pages are known beforehand, so the operation is cut short at
 * its first fault, then cut into pieces of uniform memory.  Strided and indexed:
 * chunks of one register's worth of elements, whose faults are found on the way.
 */
#include "units.h"

static struct tf_op *current_op(struct fabric *fabric)
{
	return &fabric->ops[fabric->crack.op];
}

static u64 unit_address(const struct tf_op *op, u32 r)
{
	return op->op.base + r;
}

static u32 page_offset(const struct tf_page *page, u64 address)
{
	return address - page->page.address;
}

/* The register group bytes of an operation all lie in these registers. */
static u32 register_set(const struct fabric *fabric, u32 first, u32 begin, u32 end)
{
	u32 from = first + begin / fabric->layout.stripe;
	u32 to = first + (end - 1) / fabric->layout.stripe;

	return ~0U >> (31 - to) & ~0U << from;
}

static void describe(const struct fabric *fabric, const struct tf_op *op, struct tf_kinstr *kinstr)
{
	const struct fabric_op *o = &op->op;
	u32 data;

	kinstr->details = (struct tf_details) {
		.mode = o->mode | (o->store ? TF_MODE_STORE : 0),
		.data = o->reg,
		.index = o->mode == FABRIC_INDEX ? o->index : 0,
		.masked = o->mask != FABRIC_NONE,
		.width = op->shift,
		.index_width = op->index_shift,
	};
	kinstr->mask = o->mask;
	kinstr->base = o->base;
	kinstr->stride = o->stride;
	kinstr->writeset = fabric->crack.writeset;
	data = register_set(fabric, o->reg, kinstr->begin, kinstr->end);
	if (o->store)
		kinstr->reads = data;
	else
		kinstr->writes = data;
	if (o->mask != FABRIC_NONE)
		kinstr->reads |= 1U << o->mask;
}

/* Bytes from r on that lie in memory of one layout, in the current page. */
static u32 uniform_bytes(const struct fabric *fabric, const struct tf_page *page, u32 offset,
			 u32 most)
{
	const struct tf_layout *layout = &fabric->layout;
	const struct tf_stripe *a = &page->stripes[offset / layout->stripe], *b;
	u32 length = layout->stripe - offset % layout->stripe;

	if (page->page.memory != FABRIC_VECTOR)
		return most;
	most = min(most, layout->line - offset % layout->line);
	if (most <= length)
		return most;
	b = &page->stripes[offset / layout->stripe + 1];
	if (a->next_size == b->next_size && a->next_order == b->next_order)
		return most;
	return length;
}

static void place_piece(const struct fabric *fabric, const struct tf_op *op,
			const struct tf_page *page, struct tf_kinstr *kinstr)
{
	u32 offset = page_offset(page, unit_address(op, kinstr->begin));
	u32 last = offset + kinstr->end - kinstr->begin - 1;
	u32 stripe = fabric->layout.stripe;
	const struct tf_stripe *look = &page->stripes[offset / stripe];
	bool aligned = offset % stripe == kinstr->begin % stripe;

	kinstr->footprint = TF_KNOWN;
	kinstr->page = page - fabric->pages;
	kinstr->offset = offset;
	kinstr->first_line = tf_line_number(fabric, page, offset);
	kinstr->last_line = tf_line_number(fabric, page, last);
	kinstr->vector = page->page.memory == FABRIC_VECTOR;
	kinstr->mem_size = look->next_size;
	kinstr->mem_order = look->next_order;
	if (!kinstr->vector)
		kinstr->kind = TF_REQUEST;
	else if (aligned && look->next_size == 1U << op->shift &&
		 look->next_order == fabric->config.order)
		kinstr->kind = TF_LOCAL;
	else
		kinstr->kind = op->op.store ? TF_REQUEST : TF_PUSH;
}

/* The next piece of a unit-stride operation at or after the cursor. */
static bool next_piece(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	struct tf_crack *crack = &fabric->crack;
	const struct tf_op *op = current_op(fabric);
	u32 stripe = fabric->layout.stripe, left;
	struct tf_page *page;
	u64 address;

	while (crack->cursor < crack->end) {
		address = unit_address(op, crack->cursor);
		left = min(crack->end - crack->cursor, tf_page_left(fabric, address));
		if (!tf_fault_at(fabric, address, op->op.store)) {
			page = tf_page_at(fabric, address);
			left = min(left, stripe - crack->cursor % stripe);
			left = uniform_bytes(fabric, page, page_offset(page, address), left);
			kinstr->begin = crack->cursor;
			kinstr->end = crack->cursor + left;
			describe(fabric, op, kinstr);
			place_piece(fabric, op, page, kinstr);
			return true;
		}
		/* Only masked-off elements lie here. */
		crack->cursor += left;
	}
	return false;
}

static bool next_chunk(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	const struct tf_crack *crack = &fabric->crack;
	const struct tf_op *op = current_op(fabric);
	u32 stripe = fabric->layout.stripe, first, last;

	if (crack->cursor >= crack->end)
		return false;
	kinstr->begin = crack->cursor;
	kinstr->end = min(crack->cursor + stripe, crack->end);
	kinstr->kind = TF_REQUEST;
	kinstr->footprint = TF_UNKNOWN;
	kinstr->faults = true;
	kinstr->chained = crack->cursor != op->op.first << op->shift;
	describe(fabric, op, kinstr);
	if (op->op.mode == FABRIC_INDEX) {
		first = kinstr->begin >> op->shift << op->index_shift;
		last = kinstr->end >> op->shift << op->index_shift;
		kinstr->reads |= register_set(fabric, op->op.index, first, last);
	}
	return true;
}

/*
 * An aligned store stamps its own layout on every vector stripe it touches; one
 * of another layout is converted first, when nobody else uses its line.  Such a
 * kinstruction shares no writeset: the promise of disjoint bytes does not help.
 */
static bool next_relayout(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	struct tf_crack *crack = &fabric->crack;
	const struct tf_op *op = current_op(fabric);
	u32 stripe = fabric->layout.stripe, offset;
	const struct tf_stripe *look;
	const struct tf_page *page;
	u64 address;

	for (; crack->cursor < crack->end; crack->cursor += stripe - crack->cursor % stripe) {
		address = unit_address(op, crack->cursor);
		if (tf_fault_at(fabric, address, true))
			continue;
		page = tf_page_at(fabric, address);
		offset = page_offset(page, address);
		look = &page->stripes[offset / stripe];
		if (page->page.memory != FABRIC_VECTOR || offset % stripe != crack->cursor % stripe)
			continue;
		if (look->next_size == 1U << op->shift && look->next_order == fabric->config.order)
			continue;
		kinstr->kind = TF_RELAYOUT;
		kinstr->details.mode = TF_MODE_STORE;
		kinstr->footprint = TF_KNOWN;
		kinstr->page = page - fabric->pages;
		kinstr->offset = offset - offset % stripe;
		kinstr->first_line = tf_line_number(fabric, page, offset);
		kinstr->last_line = kinstr->first_line;
		kinstr->mem_size = 1U << op->shift;
		kinstr->mem_order = fabric->config.order;
		return true;
	}
	return false;
}

/* Is some live kinstruction going to write this register? */
static bool being_written(struct fabric *fabric, s32 reg)
{
	const struct tf_kinstr *kinstr;
	u64 seq;

	for (seq = fabric->oldest; seq < fabric->issued; seq++) {
		kinstr = tf_kinstr_at(fabric, seq);
		if (!kinstr->retired && kinstr->writes & 1U << reg)
			return true;
	}
	return false;
}

static bool op_active(const struct fabric *fabric, const struct tf_op *op, u32 element)
{
	const struct tf_kinstr look = { .details.masked = op->op.mask != FABRIC_NONE,
					.mask = op->op.mask };

	return tf_active(fabric, &look, element);
}

static void record(struct fabric *fabric, u32 index, const struct tf_fault *fault)
{
	struct fabric_result *result = &fabric->results[index];

	result->fault = fault->code;
	result->element = fault->element;
	result->element_address = fault->element_address;
	result->address = fault->address;
}

/* The first enabled element from @first on with a byte in a bad page up to @last. */
static bool first_fault(struct fabric *fabric, const struct tf_op *op, u32 from, u32 to,
			u32 *element)
{
	u32 size = 1U << op->shift, e;

	for (e = max(from / size, op->op.first); e * size < to; e++) {
		if (op_active(fabric, op, e)) {
			*element = e;
			return true;
		}
	}
	return false;
}

/*
 * Cuts a unit-stride operation short before its first fault.  False: the mask
 * that decides about it is not there yet.
 */
static bool find_end(struct fabric *fabric)
{
	struct tf_crack *crack = &fabric->crack;
	const struct tf_op *op = current_op(fabric);
	u32 r, left, element, code;
	u64 address;

	for (r = crack->cursor; r < crack->end; r += left) {
		address = unit_address(op, r);
		left = min(crack->end - r, tf_page_left(fabric, address));
		code = tf_fault_at(fabric, address, op->op.store);
		if (!code)
			continue;
		if (op->op.mask != FABRIC_NONE && being_written(fabric, op->op.mask))
			return false;
		if (!first_fault(fabric, op, r, r + left, &element))
			continue;
		crack->end = element << op->shift;
		address = max(address, unit_address(op, crack->end));
		record(fabric, crack->op, &(struct tf_fault) {
			element, code, address, unit_address(op, crack->end) });
		crack->end = max(crack->end, crack->cursor);
		break;
	}
	return true;
}

static bool take_writeset(struct fabric *fabric, s32 wanted)
{
	u32 spare = ~fabric->private_sets & 0xff;

	if (wanted != FABRIC_NONE) {
		fabric->crack.writeset = TF_WRITESET_VALID | wanted;
		return true;
	}
	if (!spare)
		return false;
	fabric->private_sets |= spare & -spare;
	fabric->crack.writeset = TF_WRITESET_VALID | (FABRIC_WRITESETS + __builtin_ctz(spare));
	return true;
}

static void release_writeset(struct fabric *fabric, u32 writeset)
{
	writeset &= TF_WRITESET_VALID - 1;
	if (writeset >= FABRIC_WRITESETS)
		fabric->private_sets &= ~(1U << (writeset - FABRIC_WRITESETS));
}

static void label_registers(struct fabric *fabric)
{
	const struct tf_crack *crack = &fabric->crack;
	const struct tf_op *op = current_op(fabric);
	u32 set, reg;

	if (op->op.store || crack->cursor >= crack->end)
		return;
	set = register_set(fabric, op->op.reg, crack->cursor, crack->end);
	for (reg = 0; reg < FABRIC_REGISTERS; reg++)
		if (set & 1U << reg)
			fabric->reg_width[reg] = op->op.width;
}

/* Takes an operation up; false: it has to wait for older ones. */
static bool begin(struct fabric *fabric)
{
	struct tf_crack *crack = &fabric->crack;
	struct tf_op *op = current_op(fabric);

	if (crack->op && op[-1].op.wait && fabric->oldest < fabric->issued)
		return false;
	crack->cursor = op->op.first << op->shift;
	crack->end = op->op.count << op->shift;
	if (op->op.mode == FABRIC_UNIT && !find_end(fabric))
		return false;
	if (!take_writeset(fabric, op->op.writeset))
		return false;
	op->writeset = crack->writeset;
	fabric->results[crack->op].start = fabric->now;
	label_registers(fabric);
	crack->stage = op->op.store && op->op.mode == FABRIC_UNIT ? TF_STAGE_RELAYOUT :
								    TF_STAGE_PIECES;
	return true;
}

static void end(struct fabric *fabric)
{
	struct tf_crack *crack = &fabric->crack;

	current_op(fabric)->complete = true;
	tf_op_check_end(fabric, crack->op);
	crack->op++;
	crack->stage = TF_STAGE_BEGIN;
}

void tf_op_check_end(struct fabric *fabric, u32 index)
{
	struct tf_op *op = &fabric->ops[index];

	if (!op->complete || op->retired != op->cracked)
		return;
	release_writeset(fabric, op->writeset);
	fabric->results[index].end = fabric->now;
	fabric->last_end = fabric->now;
}

bool tf_crack_next(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	struct tf_crack *crack = &fabric->crack;

	while (crack->op < fabric->op_count) {
		switch (crack->stage) {
		case TF_STAGE_BEGIN:
			if (!begin(fabric))
				return false;
			break;
		case TF_STAGE_RELAYOUT:
			if (next_relayout(fabric, kinstr))
				return true;
			crack->cursor = current_op(fabric)->op.first << current_op(fabric)->shift;
			crack->stage = TF_STAGE_PIECES;
			break;
		default:
			if (current_op(fabric)->op.mode == FABRIC_UNIT ?
			    next_piece(fabric, kinstr) : next_chunk(fabric, kinstr))
				return true;
			end(fabric);
		}
	}
	return false;
}

void tf_crack_commit(struct fabric *fabric, const struct tf_kinstr *kinstr)
{
	struct tf_crack *crack = &fabric->crack;
	u32 stripe = fabric->layout.stripe;
	struct tf_stripe *look;

	current_op(fabric)->cracked++;
	if (kinstr->kind != TF_RELAYOUT) {
		crack->cursor = kinstr->end;
		return;
	}
	look = &fabric->pages[kinstr->page].stripes[kinstr->offset / stripe];
	look->next_size = kinstr->mem_size;
	look->next_order = kinstr->mem_order;
	crack->cursor += stripe - crack->cursor % stripe;
}

/* A fault that a reduction found; a chunk hands on what earlier ones found. */
void tf_crack_fault(struct fabric *fabric, const struct tf_kinstr *kinstr,
		    const struct tf_fault *fault)
{
	if (fault->element != U32_MAX && fabric->results[kinstr->op].fault == FABRIC_OK)
		record(fabric, kinstr->op, fault);
}

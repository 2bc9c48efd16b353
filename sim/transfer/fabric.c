// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The life of a fabric, its registers, and the programs it takes.
 */
#include "units.h"

#define TICK_LIMIT 1000000

void fabric_config_default(struct fabric_config *config)
{
	*config = (struct fabric_config) {
		.kamlet_columns = 2, .kamlet_rows = 2,
		.jamlet_columns = 2, .jamlet_rows = 2,
		.line_words = 4,
		.slots = 8,
		.page_bytes = 512,
		.rows = FABRIC_ROWS_MAX,
		.waits = FABRIC_WAITS_MAX,
		.idents = FABRIC_IDENTS_MAX,
		.syncs = FABRIC_SYNCS_MAX,
		.order = FABRIC_ORDER_ROW,
	};
}

static bool within(u32 value, u32 low, u32 high)
{
	return value >= low && value <= high;
}

static bool geometry_valid(const struct fabric_config *config)
{
	u32 words = config->line_words, lanes;

	if (!within(config->kamlet_columns, 1, 4) || !within(config->kamlet_rows, 1, 4) ||
	    !within(config->jamlet_columns, 1, 4) || !within(config->jamlet_rows, 1, 4))
		return false;
	if (!within(words, 1, 8) || words & (words - 1))
		return false;
	lanes = config->kamlet_columns * config->kamlet_rows *
		config->jamlet_columns * config->jamlet_rows;
	return within(config->page_bytes, 1, FABRIC_PAGE_BYTES_MAX) &&
	       config->page_bytes % (words * 8 * lanes) == 0;
}

static bool order_valid(const struct fabric_config *config)
{
	u32 width = config->kamlet_columns * config->jamlet_columns;
	u32 height = config->kamlet_rows * config->jamlet_rows;

	if (config->order == FABRIC_ORDER_MOORE)
		return width == height && !(width & (width - 1));
	return within(config->order, FABRIC_ORDER_ROW, FABRIC_ORDER_COLUMN_TORUS);
}

bool fabric_config_valid(const struct fabric_config *config)
{
	return geometry_valid(config) && order_valid(config) &&
	       within(config->slots, 4, FABRIC_SLOTS_MAX) &&
	       within(config->rows, 1, FABRIC_ROWS_MAX) &&
	       within(config->waits, 1, FABRIC_WAITS_MAX) &&
	       within(config->idents, 2, FABRIC_IDENTS_MAX) &&
	       within(config->syncs, 2, FABRIC_SYNCS_MAX);
}

/*
 * A byte state has one message under way at a time, and so has a jamlet's part
 * of a cache slot, and a slot's address.
 */
static u32 messages_at_most(const struct fabric *fabric)
{
	const struct fabric_config *config = &fabric->config;

	return fabric->layout.lanes * (8 * config->rows + config->slots) +
	       fabric->layout.kamlets * config->slots;
}

static bool allocate(struct fabric *fabric)
{
	const struct fabric_config *config = &fabric->config;
	u32 lanes = fabric->layout.lanes;

	fabric->message_count = messages_at_most(fabric);
	fabric->messages = env_alloc(fabric->message_count * sizeof(*fabric->messages));
	fabric->kamlets = env_alloc(fabric->layout.kamlets * sizeof(*fabric->kamlets));
	fabric->jte = env_alloc(lanes * config->rows * sizeof(*fabric->jte));
	fabric->regs = env_alloc(lanes * sizeof(*fabric->regs));
	fabric->sram = env_alloc(lanes * config->slots * config->line_words * sizeof(u64));
	fabric->gathered = env_alloc(lanes * TF_GATHERS * config->line_words * sizeof(u64));
	fabric->scratch = env_alloc(fabric->layout.stripe);
	fabric->ops = env_alloc(FABRIC_PROGRAM_MAX * sizeof(*fabric->ops));
	fabric->results = env_alloc(FABRIC_PROGRAM_MAX * sizeof(*fabric->results));
	return fabric->messages && fabric->kamlets && fabric->jte && fabric->regs &&
	       fabric->sram && fabric->gathered && fabric->scratch && fabric->ops &&
	       fabric->results;
}

/* Empties the networks and every table; memory and registers keep their bytes. */
static void clear_tables(struct fabric *fabric)
{
	u32 i, k;

	for (i = 0; i < fabric->message_count; i++)
		fabric->messages[i].next = i + 1;
	fabric->free_message = 0;
	fabric->in_flight = 0;
	for (i = 0; i < TF_FIFOS; i++)
		fabric->fifos[i] = (struct tf_fifo) { .head = TF_NIL };
	for (k = 0; k < fabric->layout.kamlets; k++) {
		memset(&fabric->kamlets[k], 0, sizeof(fabric->kamlets[k]));
		memset(fabric->kamlets[k].row_of, TF_NO_ROW, FABRIC_IDENTS_MAX);
		for (i = 0; i < FABRIC_SLOTS_MAX; i++)
			fabric->kamlets[k].slots[i].victim = TF_NO_LINE;
	}
	memset(fabric->wheel, 0, sizeof(fabric->wheel));
	memset(fabric->syncs, 0, sizeof(fabric->syncs));
	memset(fabric->kinstrs, 0, sizeof(fabric->kinstrs));
	fabric->occupied = 0;
	fabric->turn = TF_UNITS;
	fabric->sync_live = 0;
	fabric->private_sets = 0;
	fabric->relayouts = 0;
	fabric->issued = 0;
	fabric->oldest = 0;
}

struct fabric *fabric_create(const struct fabric_config *config)
{
	struct fabric *fabric;

	if (!fabric_config_valid(config))
		return NULL;
	fabric = env_alloc(sizeof(*fabric));
	if (!fabric)
		return NULL;
	fabric->config = *config;
	if (!fabric->config.tick_limit)
		fabric->config.tick_limit = TICK_LIMIT;
	tf_layout_init(&fabric->layout, config);
	if (!allocate(fabric)) {
		fabric_destroy(fabric);
		return NULL;
	}
	memset(fabric->reg_width, 64, sizeof(fabric->reg_width));
	clear_tables(fabric);
	return fabric;
}

void fabric_destroy(struct fabric *fabric)
{
	u32 i;

	if (!fabric)
		return;
	for (i = 0; i < FABRIC_PAGES_MAX; i++) {
		env_free(fabric->pages[i].bytes);
		env_free(fabric->pages[i].stripes);
	}
	env_free(fabric->messages);
	env_free(fabric->kamlets);
	env_free(fabric->jte);
	env_free(fabric->regs);
	env_free(fabric->sram);
	env_free(fabric->gathered);
	env_free(fabric->scratch);
	env_free(fabric->ops);
	env_free(fabric->results);
	env_free(fabric);
}

const struct fabric_config *fabric_config(const struct fabric *fabric)
{
	return &fabric->config;
}

int fabric_register_read(struct fabric *fabric, u32 reg, u64 *words, u32 *width)
{
	u32 lane;

	if (fabric->running)
		return -EBUSY;
	if (reg >= FABRIC_REGISTERS)
		return -EINVAL;
	for (lane = 0; lane < fabric->layout.lanes; lane++)
		words[lane] = fabric->regs[fabric->layout.jamlet[fabric->config.order][lane]][reg];
	*width = fabric->reg_width[reg];
	return 0;
}

int fabric_register_write(struct fabric *fabric, u32 reg, const u64 *words, u32 width)
{
	u32 lane;

	if (fabric->running)
		return -EBUSY;
	if (reg >= FABRIC_REGISTERS ||
	    (width != 1 && width != 8 && width != 16 && width != 32 && width != 64))
		return -EINVAL;
	for (lane = 0; lane < fabric->layout.lanes; lane++)
		fabric->regs[fabric->layout.jamlet[fabric->config.order][lane]][reg] = words[lane];
	fabric->reg_width[reg] = width;
	return 0;
}

/* log2 of the bytes of an element, or a negative errno. */
static int width_shift(u32 width)
{
	switch (width) {
	case 8:
		return 0;
	case 16:
		return 1;
	case 32:
		return 2;
	case 64:
		return 3;
	default:
		return -EINVAL;
	}
}

static bool register_valid(s32 reg)
{
	return reg >= 0 && reg < FABRIC_REGISTERS;
}

static bool overlap(u32 a, u32 a_count, u32 b, u32 b_count)
{
	return a < b + b_count && b < a + a_count;
}

static bool mask_valid(const struct fabric_op *op)
{
	if (op->mask == FABRIC_NONE)
		return true;
	if (!register_valid(op->mask))
		return false;
	return op->store || !overlap(op->reg, op->group, op->mask, 1);
}

/* An index group has as many elements as the data group. */
static bool index_valid(const struct fabric_op *op)
{
	u32 registers;

	if (op->mode != FABRIC_INDEX)
		return !op->index_width && op->index == FABRIC_NONE;
	if (width_shift(op->index_width) < 0 || !register_valid(op->index))
		return false;
	registers = max(op->group * op->index_width / op->width, 1U);
	if (registers > 8 || op->index + registers > FABRIC_REGISTERS)
		return false;
	return op->store || !overlap(op->reg, op->group, op->index, registers);
}

static bool group_valid(const struct fabric *fabric, const struct fabric_op *op)
{
	if (op->group != 1 && op->group != 2 && op->group != 4 && op->group != 8)
		return false;
	return register_valid(op->reg) && op->reg + op->group <= FABRIC_REGISTERS &&
	       op->count <= op->group * fabric->layout.lanes * 64 / op->width;
}

int fabric_check(const struct fabric *fabric, const struct fabric_op *op)
{
	if (op->mode >= FABRIC_MODES || width_shift(op->width) < 0 || !group_valid(fabric, op) ||
	    !index_valid(op) || !mask_valid(op))
		return -EINVAL;
	if (op->mode != FABRIC_STRIDE && op->stride)
		return -EINVAL;
	if (op->writeset < FABRIC_NONE || op->writeset >= FABRIC_WRITESETS)
		return -EINVAL;
	return 0;
}

static void load_op(struct tf_op *entry, const struct fabric_op *op)
{
	memset(entry, 0, sizeof(*entry));
	entry->op = *op;
	entry->shift = width_shift(op->width);
	if (op->mode == FABRIC_INDEX)
		entry->index_shift = width_shift(op->index_width);
	/* Elements side by side: the pages can be checked beforehand. */
	if (op->mode == FABRIC_STRIDE && op->stride == 1LL << entry->shift)
		entry->op.mode = FABRIC_UNIT;
	entry->op.first = min(op->first, op->count);
}

int fabric_submit(struct fabric *fabric, const struct fabric_op *ops, u32 count, u32 *bad)
{
	u32 i;

	*bad = 0;
	if (fabric->running)
		return -EBUSY;
	if (count > FABRIC_PROGRAM_MAX)
		return -E2BIG;
	for (i = 0; i < count; i++) {
		*bad = i;
		if (fabric_check(fabric, &ops[i]))
			return -EINVAL;
	}
	for (i = 0; i < count; i++)
		load_op(&fabric->ops[i], &ops[i]);
	memset(fabric->results, 0, count * sizeof(*fabric->results));
	memset(&fabric->crack, 0, sizeof(fabric->crack));
	fabric->op_count = count;
	fabric->now++;
	fabric->started = fabric->now;
	fabric->last_end = fabric->now;
	fabric->error = 0;
	fabric->running = true;
	tf_wake(fabric, TF_UNIT_LAMLET, fabric->now);
	return 0;
}

/* Stripes that the lamlet meant to convert keep their layout. */
static void forget_plans(struct fabric *fabric)
{
	u32 stripes = fabric->config.page_bytes / fabric->layout.stripe, i, s;
	struct tf_stripe *stripe;

	for (i = 0; i < FABRIC_PAGES_MAX; i++) {
		for (s = 0; fabric->pages[i].used && s < stripes; s++) {
			stripe = &fabric->pages[i].stripes[s];
			stripe->next_size = stripe->size;
			stripe->next_order = stripe->order;
		}
	}
}

void fabric_abort(struct fabric *fabric)
{
	if (!fabric->running)
		return;
	tf_kce_write_back(fabric);
	clear_tables(fabric);
	forget_plans(fabric);
	fabric->running = false;
}

const struct fabric_result *fabric_results(const struct fabric *fabric)
{
	return fabric->results;
}

const struct fabric_counters *fabric_counters(const struct fabric *fabric)
{
	return &fabric->counters;
}

void fabric_counters_clear(struct fabric *fabric)
{
	memset(&fabric->counters, 0, sizeof(fabric->counters));
}

u64 fabric_tick(const struct fabric *fabric)
{
	return fabric->now;
}

// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* The model when memory runs out: it says so, and nothing is lost or freed twice. */
#include "hw/nomem_testing.h"

#include "sim/pcie/endpoint.h"
#include "sim/test_moves.h"
#include "sim/transfer/session.h"

#define PAGE 0x1000
#define STRIPES 32

static int make_node(struct sim_node **out)
{
	*out = test_node(2, SIM_COMPLEX_RV32);
	return *out ? 0 : -ENOMEM;
}

/* A move that finds no memory ends with the fault of a memory that answers nothing. */
static int copy(struct sim_node *node, u64 dst, u64 src)
{
	test_copy(node, 0, dst, src, 4);
	return test_fault(node, 0) ? -ENOMEM : 0;
}

/* One entry. */
static int xform(struct sim_node *node, u64 dst, u64 src)
{
	test_walker(node, 0, KOHAKU_WALKER_SRC, src, 4, KOHAKU_WORD, 0);
	test_walker(node, 0, KOHAKU_WALKER_DST, dst, 1, 4 * KOHAKU_WORD, 0);
	test_go(node, 0, KOHAKU_MODE_XFORM);
	return test_fault(node, 0) ? -ENOMEM : 0;
}

/* One row of one word. */
static int gather(struct sim_node *node, u64 dst, u64 indices)
{
	test_walker(node, 0, KOHAKU_WALKER_SRC, TEST_SRC, 1, KOHAKU_WORD, 0);
	test_walker(node, 0, KOHAKU_WALKER_DST, dst, 1, KOHAKU_WORD, 0);
	test_write(node, 0, KOHAKU_REG_INDEX, indices | KOHAKU_PUT(KOHAKU_INDEX_COUNT, 1));
	test_write(node, 0, KOHAKU_REG_GATHER, KOHAKU_PUT(KOHAKU_GATHER_WORDS, 1));
	test_go(node, 0, KOHAKU_MODE_GATHER);
	return test_fault(node, 0) ? -ENOMEM : 0;
}

static int put(struct sim_node *node, u64 addr)
{
	u8 words[4 * KOHAKU_WORD] = { 1 };

	return sim_mem_write(node, test_host(0, addr), words, sizeof(words));
}

/* Each address lies in memory that nobody has used before. */
static int use_node(struct sim_node *node)
{
	const u64 part = 4 << 20;
	int err = nomem_try(put(node, TEST_SRC));

	err = nomem_also(err, copy(node, TEST_DST + part, TEST_SRC));
	err = nomem_also(err, copy(node, KOHAKU_ADDR_ONCHIP, TEST_SRC));
	err = nomem_also(err, xform(node, TEST_DST + 2 * part, TEST_SRC + 3 * part));
	err = nomem_also(err, gather(node, TEST_DST + 4 * part, TEST_DST + 5 * part));
	sim_mesh_knobs(node, 0)->ecc = true;
	err = nomem_also(err, put(node, TEST_DST + 6 * part));
	return nomem_also(err, copy(node, TEST_DST + 7 * part, TEST_DST + 6 * part));
}

static int life_of_a_node(void)
{
	struct sim_node *node;
	int err = nomem_try(make_node(&node));

	if (err)
		return err;
	err = use_node(node);
	sim_node_destroy(node);
	return err;
}

static int make_endpoint(struct pcie_endpoint **out)
{
	static const struct pcie_inject inject;

	*out = pcie_endpoint_create(2, &inject);
	return *out ? 0 : -ENOMEM;
}

static int life_of_an_endpoint(void)
{
	struct pcie_endpoint *endpoint;
	int err = nomem_try(make_endpoint(&endpoint));

	if (!err)
		pcie_endpoint_destroy(endpoint);
	return err;
}

static int run(struct fabric_session *session)
{
	const struct kohaku_transfer_insn store = {
		.flags = KOHAKU_TRANSFER_STORE,
		.width = 8,
		.group = 1,
		.count = 40,
		.base = PAGE,
	};
	struct fabric_op op;
	u32 fault = 0;
	int err = fabric_session_insn(session, &store, &op);

	if (!err)
		err = fabric_session_start(session, &op, 1, 1, 1);
	if (err)
		return err;
	do
		err = fabric_session_step(session, &fault);
	while (err == -EINPROGRESS);
	return err ? err : -(int)fault;
}

static int use_session(struct fabric_session *session)
{
	static const struct kohaku_fabric_stripe looks[STRIPES] = {
		[0 ... STRIPES - 1] = { .width = 8 },
	};
	struct kohaku_fabric_map map = {
		.address = PAGE,
		.flags = KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE,
	};
	int err = nomem_try(fabric_session_map(session, &map, NULL));

	map.address = 2 * PAGE;
	map.stripe_count = fabric_session_stripes(session);
	assert_in_range(map.stripe_count, 1, STRIPES);
	err = nomem_also(err, fabric_session_map(session, &map, looks));
	err = nomem_also(err, fabric_session_trace_start(session));
	err = nomem_also(err, run(session));
	return nomem_also(err, fabric_session_unmap(session, PAGE));
}

static int life_of_a_session(void)
{
	struct fabric_session session;
	struct fabric_config config;
	int err;

	fabric_config_default(&config);
	config.page_bytes = PAGE;
	err = nomem_try(fabric_session_init(&session, &config));
	if (err)
		return err;
	err = use_session(&session);
	fabric_session_exit(&session);
	return err;
}

static void test_node_without_memory(void **state)
{
	(void)state;
	nomem_sweep_both(life_of_a_node);
}

static void test_endpoint_without_memory(void **state)
{
	(void)state;
	nomem_sweep_both(life_of_an_endpoint);
}

static void test_session_without_memory(void **state)
{
	(void)state;
	nomem_sweep_both(life_of_a_session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_node_without_memory),
		cmocka_unit_test(test_endpoint_without_memory),
		cmocka_unit_test(test_session_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

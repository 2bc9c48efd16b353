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

static int put(struct sim_node *node, u64 addr)
{
	u8 words[4 * KOHAKU_WORD] = { 1 };

	return sim_mem_write(node, test_host(0, addr), words, sizeof(words));
}

static int use_node(struct sim_node *node)
{
	int err = nomem_try(put(node, TEST_SRC));

	if (!err)
		err = nomem_try(copy(node, TEST_DST + (4 << 20), TEST_SRC));
	if (!err)
		err = nomem_try(copy(node, KOHAKU_ADDR_ONCHIP, TEST_SRC));
	sim_mesh_knobs(node, 0)->ecc = true;
	if (!err)
		err = nomem_try(put(node, TEST_DST + (8 << 20)));
	if (!err)
		err = nomem_try(copy(node, TEST_DST + (16 << 20), TEST_DST + (8 << 20)));
	return err;
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
		.flags = KOHAKU_TRANSFER_STORE, .width = 8, .group = 1, .count = 40, .base = PAGE,
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
		.address = PAGE, .flags = KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE,
	};
	int err = nomem_try(fabric_session_map(session, &map, NULL));

	map.address = 2 * PAGE;
	map.stripe_count = fabric_session_stripes(session);
	assert_in_range(map.stripe_count, 1, STRIPES);
	if (!err)
		err = nomem_try(fabric_session_map(session, &map, looks));
	if (!err)
		err = nomem_try(fabric_session_trace_start(session));
	if (!err)
		err = nomem_try(run(session));
	if (!err)
		err = nomem_try(fabric_session_unmap(session, PAGE));
	return err;
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

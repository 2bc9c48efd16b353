// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku plan: what a change of layout would cost, without making it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "picture.h"

#define SHARDS_MAX 64

struct request {
	const char *from, *to, *shape_text, *picture;
	uint32_t shards;		/* 0: do not ask */
	uint32_t depth;
	bool in_place, explain;
	struct kohaku_packing before, after;
};

/* "64x256", or "64x256,4" for four blocks of it. */
static int take_shape(const struct cli *cli, const char *text, struct kohaku_shape *shape,
		      uint32_t *batch)
{
	char *copy = strdup(text), *comma = copy ? strchr(copy, ',') : NULL;
	struct kohaku_reason reason;
	int status = CLI_OK;

	if (!copy)
		return cli_fail(cli, "out of memory");
	if (comma)
		*comma = '\0';
	if (kohaku_shape_parse(copy, shape, &reason))
		status = cli_fail_reason(cli, text, &reason);
	else if (comma && (!cli_number_below(comma + 1, 1U << 31, batch) || !*batch ||
			   shape->ndim == KOHAKU_SHAPE_DIMS))
		status = cli_fail(cli, "%s: '%s' is no number of blocks", text, comma + 1);
	if (!status && comma) {
		memmove(shape->dims + 1, shape->dims, shape->ndim * sizeof(*shape->dims));
		shape->dims[0] = *batch;
		shape->ndim++;
	}
	free(copy);
	return status;
}

static int take_layout(const struct cli *cli, const char *name, const struct kohaku_shape *shape,
		       uint32_t batch, struct kohaku_packing *packing)
{
	struct kohaku_reason reason;
	struct kohaku_layout layout;

	if (kohaku_layout_parse(name, &layout, &reason))
		return cli_fail_reason(cli, name, &reason);
	if (batch && !layout.batch)
		layout.batch = batch;
	if (kohaku_packing_init(packing, &layout, shape, 0, &reason))
		return cli_fail_reason(cli, name, &reason);
	return CLI_OK;
}

static int take_conversion(const struct cli *cli, struct request *request)
{
	struct kohaku_shape shape;
	uint32_t batch = 0;
	int status = take_shape(cli, request->shape_text, &shape, &batch);

	if (!status)
		status = take_layout(cli, request->from, &shape, batch, &request->before);
	if (!status)
		status = take_layout(cli, request->to, &shape, batch, &request->after);
	return status;
}

static struct json_object *list_loops(const struct kohaku_loops *loops)
{
	struct json_object *list = json_object_new_array();
	char text[64];
	uint32_t i;

	for (i = 0; i < loops->count; i++) {
		snprintf(text, sizeof(text), "%llu at %lld",
			 (unsigned long long)loops->dims[i].bound,
			 (long long)loops->dims[i].stride);
		json_object_array_add(list, json_object_new_string(text));
	}
	return list;
}

static void add_option(struct json_object *list, enum kohaku_engine engine,
		       const struct kohaku_option *option, enum kohaku_engine chosen)
{
	struct json_object *object = json_object_new_object();

	cli_add_text(object, "engine", kohaku_engine_name(engine));
	if (option->possible) {
		cli_add_text(object, "verdict", engine == chosen ? "chosen" : "dearer");
		cli_add_number(object, "cycles", option->cycles);
		cli_add_number(object, "credits", option->credits);
		cli_add_number(object, "flits", option->flits);
		cli_add_number(object, "staging_bytes", option->staging);
	} else {
		cli_add_text(object, "verdict", option->reason.text);
	}
	json_object_array_add(list, object);
}

/* The engines of the node, and the one to take. */
static int add_routes(const struct cli *cli, const struct request *request,
		      struct json_object *object)
{
	const struct kohaku_terms terms = { .in_place = request->in_place, .vector = true,
					    .slot_depth = request->depth, .room = 2 << 20 };
	struct json_object *list = json_object_new_array();
	struct kohaku_option options[KOHAKU_ENGINES];
	struct kohaku_reason reason = { .text = "out of memory" };
	struct kohaku_route route = { .engine = KOHAKU_ENGINE_HOST };
	enum kohaku_engine engine;
	int error = kohaku_route_init(&route, &request->before, &request->after, &terms, options,
				      &reason);

	if (error && error != -EDOM) {
		json_object_put(list);
		return cli_fail(cli, "%s to %s: %s", request->from, request->to, reason.text);
	}
	cli_add_text(object, "route", kohaku_engine_name(route.engine));
	cli_add_number(object, "steps", error ? 1 : route.step_count);
	cli_add_number(object, "rounds", error ? 1 : route.rounds);
	for (engine = KOHAKU_ENGINE_MOVER; engine < KOHAKU_ENGINE_HOST; engine++)
		add_option(list, engine, &options[engine], error ? KOHAKU_ENGINE_HOST
								 : route.engine);
	json_object_object_add(object, "considered", list);
	if (!error)
		kohaku_route_fini(&route);
	return CLI_OK;
}

static void add_mover(const struct request *request, struct json_object *object)
{
	struct kohaku_mover_form form;

	if (kohaku_mover_form(&request->before, &request->after, &form, NULL))
		return;
	if (form.gather_ok)
		json_object_object_add(object, "mover_source_walk", list_loops(&form.gather));
	else
		json_object_object_add(object, "mover_target_walk", list_loops(&form.scatter));
}

static void add_shards(const struct request *request, const struct kohaku_plan *plan,
		       struct json_object *object)
{
	struct kohaku_sharding sharding;

	if (!request->shards)
		return;
	kohaku_plan_shard(plan, request->shards, &sharding);
	cli_add_number(object, "shards", request->shards);
	if (!sharding.divides) {
		cli_add_text(object, "shard_local", "the words do not divide evenly");
		return;
	}
	json_object_object_add(object, "shard_local", json_object_new_boolean(sharding.local));
	cli_add_number(object, "crossing_bytes", sharding.crossing);
}

static void add_plan(const struct request *request, const struct kohaku_plan *plan,
		     struct json_object *object)
{
	struct kohaku_plan_cost cost;

	kohaku_plan_cost(plan, &cost);
	cli_add_text(object, "mode", plan->mode == KOHAKU_PLAN_FILL ? "fill" : "drain");
	json_object_object_add(object, "transpose", json_object_new_boolean(plan->transpose));
	cli_add_number(object, "words_a_run", plan->words);
	cli_add_number(object, "runs", plan->runs * plan->count);
	json_object_object_add(object, "walk", list_loops(&plan->loops));
	json_object_object_add(object, "in_place", json_object_new_boolean(plan->in_place));
	cli_add_number(object, "core_cycles", cost.cycles);
	cli_add_number(object, "flits", cost.convert.flits);
	add_shards(request, plan, object);
}

static void add_candidate(void *ctx, const struct kohaku_plan_candidate *candidate)
{
	struct json_object *object = json_object_new_object();

	cli_add_text(object, "mode", candidate->mode == KOHAKU_PLAN_FILL ? "fill" : "drain");
	json_object_object_add(object, "transpose",
			       json_object_new_boolean(candidate->transpose));
	if (candidate->words)
		cli_add_number(object, "words_a_run", candidate->words);
	cli_add_text(object, "verdict", kohaku_plan_verdict_text(candidate->verdict));
	if (candidate->words && candidate->loops.count)
		json_object_object_add(object, "walk", list_loops(&candidate->loops));
	if (candidate->verdict == KOHAKU_PLAN_OK) {
		json_object_object_add(object, "in_place",
				       json_object_new_boolean(candidate->in_place));
		cli_add_number(object, "flits", candidate->flits);
	}
	json_object_array_add(ctx, object);
}

/* What the vector core would do, and with --explain how that came about. */
static void add_vector(const struct request *request, struct json_object *object)
{
	struct json_object *list = json_object_new_array();
	const struct kohaku_plan_observer observer = { add_candidate, list };
	struct kohaku_reason reason = { .text = "out of memory" };
	struct kohaku_plan plan;

	if (kohaku_plan_init(&plan, &request->before, &request->after,
			     request->explain ? &observer : NULL, &reason)) {
		cli_add_text(object, "vector_plan", reason.text);
	} else {
		add_plan(request, &plan, object);
		kohaku_plan_fini(&plan);
	}
	if (request->explain)
		json_object_object_add(object, "candidate", list);
	else
		json_object_put(list);
}

static int plan(const struct cli *cli, struct request *request)
{
	struct json_object *object;
	int status = take_conversion(cli, request), error;

	if (status)
		return status;
	object = json_object_new_object();
	cli_add_text(object, "from", request->from);
	cli_add_text(object, "to", request->to);
	cli_add_number(object, "blocks", request->before.count);
	cli_add_number(object, "words_a_block", request->before.slots / 16);
	status = add_routes(cli, request, object);
	if (!status) {
		add_mover(request, object);
		add_vector(request, object);
		error = request->picture ? picture_write(request->picture, request->from,
							 request->to, &request->before,
							 &request->after) : 0;
		if (error)
			status = cli_fail(cli, "%s: %s", request->picture, strerror(-error));
	}
	return cli_finish(cli, status, object);
}

static int take_shards(const struct cli *cli, const char *text, void *into)
{
	uint32_t *shards = into;

	if (!cli_number_below(text, SHARDS_MAX + 1, shards) || !*shards)
		return cli_usage(cli, "'%s' is no number of shards", text);
	return CLI_OK;
}

static int take_depth(const struct cli *cli, const char *text, void *into)
{
	if (!cli_number_below(text, 3, into))
		return cli_usage(cli, "'%s' is no depth of the slot", text);
	return CLI_OK;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { .depth = 1 };
	const struct cli_option options[] = {
		{ "from", cli_take_text, &request.from },
		{ "to", cli_take_text, &request.to },
		{ "shape", cli_take_text, &request.shape_text },
		{ "shards", take_shards, &request.shards },
		{ "depth", take_depth, &request.depth },
		{ "inplace", NULL, &request.in_place },
		{ "explain", NULL, &request.explain },
		{ "svg", cli_take_text, &request.picture },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (!request.from || !request.to || !request.shape_text)
		return cli_usage(cli, "it needs --from, --to and --shape");
	if (optind != argc)
		return cli_usage(cli, "it takes no file");
	return plan(cli, &request);
}

const struct cli_command cli_plan = {
	.name = "plan",
	.run = run,
	.usage = "--from LAYOUT --to LAYOUT --shape RxC[,N] [--inplace] [--shards N] [--depth N] "
		 "[--explain] [--svg FILE]",
	.help = "Say what a change of layout would cost, without a node.\n\n"
		"  --from LAYOUT  how the array lies, and how it shall lie: flat, entry:GxB,\n"
		"  --to LAYOUT    tile:GIxGJ:GMxGN\n"
		"  --shape RxC    rows and columns; RxC,N for a batch of N such blocks\n"
		"  --inplace      in the array's own bytes\n"
		"  --shards N     what would cross between N meshes that share the words\n"
		"  --depth N      entries that the transform slot takes at once: 1 (default), 2;\n"
		"                 0 without it\n"
		"  --explain      every run width that was looked at, with the verdict\n"
		"  --svg FILE     draw the words of both layouts, alike where they are the same\n\n"
		"Cycles and credits are of the whole conversion, moving the data included;\n"
		"core cycles are those of the vector core alone, where moving data is free.",
};

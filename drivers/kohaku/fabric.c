// SPDX-License-Identifier: GPL-2.0
/*
 * The transfer fabric of an open file: the FABRIC commands.
 *
 * Every file has a fabric of its own, made when it first asks for something, so
 * nobody sees or disturbs another one's.  The commands and the runner of mesh 0,
 * who advances programs, meet at its lock.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core.h"
#include "sim/transfer/session.h"

/* Events that FABRIC_TRACE copies at a time. */
#define KOHAKU_EVENT_BATCH 64

struct kohaku_fabric {
	struct mutex lock;	/* the session */
	struct fabric_session session;
};

static struct kohaku_fabric *kohaku_fabric_new(const struct fabric_config *config)
{
	struct kohaku_fabric *fabric = kzalloc(sizeof(*fabric), GFP_KERNEL_ACCOUNT);

	if (!fabric)
		return NULL;
	mutex_init(&fabric->lock);
	if (fabric_session_init(&fabric->session, config)) {
		kfree(fabric);
		return NULL;
	}
	return fabric;
}

static void kohaku_fabric_drop(struct kohaku_fabric *fabric)
{
	if (!fabric)
		return;
	fabric_session_exit(&fabric->session);
	mutex_destroy(&fabric->lock);
	kfree(fabric);
}

/* The fabric of a file, or an ERR_PTR. */
struct kohaku_fabric *kohaku_fabric_get(struct kohaku_file *file)
{
	struct kohaku_fabric *fabric = READ_ONCE(file->fabric), *other;

	if (fabric)
		return fabric;
	if (!(file->node->caps & KOHAKU_CAP_FABRIC))
		return ERR_PTR(-EOPNOTSUPP);
	fabric = kohaku_fabric_new(&file->node->config.fabric);
	if (!fabric)
		return ERR_PTR(-ENOMEM);
	/* Somebody who shares the file may have been faster. */
	other = cmpxchg(&file->fabric, NULL, fabric);
	if (!other)
		return fabric;
	kohaku_fabric_drop(fabric);
	return other;
}

void kohaku_fabric_free(struct kohaku_file *file)
{
	kohaku_fabric_drop(file->fabric);
}

struct fabric_session *kohaku_fabric_lock(struct kohaku_fabric *fabric)
{
	mutex_lock(&fabric->lock);
	return &fabric->session;
}

void kohaku_fabric_unlock(struct kohaku_fabric *fabric)
{
	mutex_unlock(&fabric->lock);
}

int kohaku_fabric_query(struct kohaku_call *call)
{
	struct kohaku_fabric *fabric = kohaku_fabric_get(call->file);
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ret = fabric_session_query(kohaku_fabric_lock(fabric), &call->arg.fabric_query);
	kohaku_fabric_unlock(fabric);
	return ret ? ret : kohaku_reply(call);
}

int kohaku_fabric_map(struct kohaku_call *call)
{
	struct kohaku_fabric *fabric = kohaku_fabric_get(call->file);
	const struct kohaku_fabric_map *map = &call->arg.fabric_map;
	struct kohaku_fabric_stripe *stripes = NULL;
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	/* It looks at nothing that ever changes: no lock. */
	ret = fabric_session_map_check(&fabric->session, map);
	if (ret)
		return ret;
	if (map->stripe_count) {
		stripes = vmemdup_user(u64_to_user_ptr(map->stripes),
				       map->stripe_count * sizeof(*stripes));
		if (IS_ERR(stripes))
			return PTR_ERR(stripes);
	}
	ret = fabric_session_map(kohaku_fabric_lock(fabric), map, stripes);
	kohaku_fabric_unlock(fabric);
	kvfree(stripes);
	return ret;
}

int kohaku_fabric_unmap(struct kohaku_call *call)
{
	struct kohaku_fabric *fabric = kohaku_fabric_get(call->file);
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ret = fabric_session_unmap(kohaku_fabric_lock(fabric), call->arg.fabric_unmap.address);
	kohaku_fabric_unlock(fabric);
	return ret;
}

int kohaku_fabric_layout(struct kohaku_call *call)
{
	struct kohaku_fabric *fabric = kohaku_fabric_get(call->file);
	struct kohaku_fabric_layout *layout = &call->arg.fabric_layout;
	struct kohaku_fabric_stripe *stripes;
	u32 room = layout->stripe_count;
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	layout->stripe_count = fabric_session_stripes(&fabric->session);
	stripes = kvmalloc_array(layout->stripe_count, sizeof(*stripes), GFP_KERNEL_ACCOUNT);
	if (!stripes)
		return -ENOMEM;
	ret = fabric_session_layout(kohaku_fabric_lock(fabric), layout->address, stripes);
	kohaku_fabric_unlock(fabric);
	if (!ret && room < layout->stripe_count)
		ret = -EMSGSIZE;
	if (!ret && copy_to_user(u64_to_user_ptr(layout->stripes), stripes,
				 layout->stripe_count * sizeof(*stripes)))
		ret = -EFAULT;
	kvfree(stripes);
	if (ret && ret != -EMSGSIZE)
		return ret;
	return kohaku_reply(call) ? -EFAULT : ret;
}

int kohaku_fabric_io(struct kohaku_call *call)
{
	struct kohaku_fabric *fabric = kohaku_fabric_get(call->file);
	struct kohaku_fabric_io *io = &call->arg.fabric_io;
	bool write = call->command->nr == KOHAKU_FABRIC_WRITE;
	void __user *data = u64_to_user_ptr(io->data);
	void *bytes;
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ret = fabric_session_io_check(&fabric->session, io, write);
	if (ret || !io->length)
		return ret;
	bytes = kvmalloc(io->length, GFP_KERNEL_ACCOUNT);
	if (!bytes)
		return -ENOMEM;
	if (write && copy_from_user(bytes, data, io->length))
		ret = -EFAULT;
	if (!ret) {
		ret = fabric_session_io(kohaku_fabric_lock(fabric), io, bytes, write);
		kohaku_fabric_unlock(fabric);
	}
	if (!ret && !write && copy_to_user(data, bytes, io->length))
		ret = -EFAULT;
	kvfree(bytes);
	return ret ? ret : kohaku_reply(call);
}

/* Copies one element of an array out, and zeros where the caller's are longer. */
static int kohaku_copy_element(u64 array, u32 stride, u32 i, const void *element, size_t size)
{
	void __user *to = u64_to_user_ptr(array + (u64)i * stride);

	return copy_to_user(to, element, size) || clear_user(to + size, stride - size) ?
	       -EFAULT : 0;
}

/* All results, as they were at one moment; the caller frees them. */
static struct kohaku_transfer_result *
kohaku_fabric_collect(struct kohaku_fabric *fabric, struct kohaku_fabric_results *results)
{
	struct kohaku_transfer_result *all;
	struct fabric_session *session;
	int ret;
	u32 i;

	all = kvmalloc_array(KOHAKU_MAX_INSNS, sizeof(*all), GFP_KERNEL_ACCOUNT);
	if (!all)
		return ERR_PTR(-ENOMEM);
	session = kohaku_fabric_lock(fabric);
	ret = fabric_session_results(session, results);
	for (i = 0; !ret && i < results->count; i++)
		fabric_session_result(session, i, &all[i]);
	kohaku_fabric_unlock(fabric);
	if (!ret)
		return all;
	kvfree(all);
	return ERR_PTR(ret);
}

int kohaku_fabric_results(struct kohaku_call *call)
{
	struct kohaku_fabric *fabric = kohaku_fabric_get(call->file);
	struct kohaku_fabric_results *results = &call->arg.fabric_results;
	struct kohaku_transfer_result *all;
	int ret = 0;
	u32 i;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	if (results->stride > KOHAKU_MAX_STRIDE)
		return -E2BIG;
	all = kohaku_fabric_collect(fabric, results);
	if (IS_ERR(all)) {
		ret = PTR_ERR(all);
		return ret == -EMSGSIZE && kohaku_reply(call) ? -EFAULT : ret;
	}
	for (i = 0; !ret && i < results->count; i++)
		ret = kohaku_copy_element(results->results, results->stride, i, &all[i],
					  sizeof(*all));
	kvfree(all);
	return ret ? ret : kohaku_reply(call);
}

static int kohaku_fabric_trace_switch(struct kohaku_fabric *fabric, u32 flags)
{
	struct fabric_session *session = kohaku_fabric_lock(fabric);
	int ret = 0;

	if (flags == KOHAKU_FABRIC_TRACE_START)
		ret = fabric_session_trace_start(session);
	else if (!session->events)
		ret = -ENOENT;
	kohaku_fabric_unlock(fabric);
	return ret;
}

/* Copies up to *count events out in batches; *count becomes how many they were. */
static int kohaku_fabric_trace_copy(struct kohaku_fabric *fabric, struct kohaku_fabric_trace *trace)
{
	struct kohaku_fabric_event *batch;
	u32 room = trace->count, got, i;
	int ret = 0;

	batch = kmalloc_array(KOHAKU_EVENT_BATCH, sizeof(*batch), GFP_KERNEL);
	if (!batch)
		return -ENOMEM;
	for (trace->count = 0; !ret && trace->count < room; trace->count += got) {
		got = fabric_session_trace_take(kohaku_fabric_lock(fabric), batch,
						min_t(u32, room - trace->count,
						      KOHAKU_EVENT_BATCH));
		kohaku_fabric_unlock(fabric);
		for (i = 0; !ret && i < got; i++)
			ret = kohaku_copy_element(trace->events, trace->stride, trace->count + i,
						  &batch[i], sizeof(*batch));
		if (!got)
			break;
		cond_resched();
	}
	kfree(batch);
	return ret;
}

int kohaku_fabric_trace(struct kohaku_call *call)
{
	struct kohaku_fabric *fabric = kohaku_fabric_get(call->file);
	struct kohaku_fabric_trace *trace = &call->arg.fabric_trace;
	struct fabric_session *session;
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ret = fabric_session_trace_check(trace);
	if (!ret)
		ret = kohaku_fabric_trace_switch(fabric, trace->flags);
	if (!ret)
		ret = kohaku_fabric_trace_copy(fabric, trace);
	if (ret)
		return ret;
	session = kohaku_fabric_lock(fabric);
	trace->out_lost = session->lost;
	if (trace->flags & KOHAKU_FABRIC_TRACE_STOP)
		fabric_session_trace_stop(session);
	kohaku_fabric_unlock(fabric);
	return kohaku_reply(call);
}

/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kohaku

#if !defined(KOHAKU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KOHAKU_TRACE_H

#include <linux/tracepoint.h>

#include "core.h"

TRACE_EVENT(kohaku_submit,
	TP_PROTO(const struct kohaku_job *job),
	TP_ARGS(job),
	TP_STRUCT__entry(
		__field(int, node)
		__field(u64, job)
		__field(u32, count)
		__field(bool, async)
	),
	TP_fast_assign(
		__entry->node = job->file->node->index;
		__entry->job = job->completion.job;
		__entry->count = job->count;
		__entry->async = job->async;
	),
	TP_printk("node=%d job=%llu ops=%u%s", __entry->node, __entry->job, __entry->count,
		  __entry->async ? " async" : "")
);

TRACE_EVENT(kohaku_start,
	TP_PROTO(const struct kohaku_mesh *mesh, const struct kohaku_job *job, u32 index),
	TP_ARGS(mesh, job, index),
	TP_STRUCT__entry(
		__field(int, node)
		__field(u32, mesh)
		__field(u64, job)
		__field(u32, index)
	),
	TP_fast_assign(
		__entry->node = mesh->node->index;
		__entry->mesh = mesh->index;
		__entry->job = job->completion.job;
		__entry->index = index;
	),
	TP_printk("node=%d mesh=%u job=%llu op=%u", __entry->node, __entry->mesh, __entry->job,
		  __entry->index)
);

TRACE_EVENT(kohaku_done,
	TP_PROTO(const struct kohaku_mesh *mesh, const struct kohaku_job *job, u32 index,
		 int status, u32 fault),
	TP_ARGS(mesh, job, index, status, fault),
	TP_STRUCT__entry(
		__field(int, node)
		__field(u32, mesh)
		__field(u64, job)
		__field(u32, index)
		__field(int, status)
		__field(u32, fault)
	),
	TP_fast_assign(
		__entry->node = mesh->node->index;
		__entry->mesh = mesh->index;
		__entry->job = job->completion.job;
		__entry->index = index;
		__entry->status = status;
		__entry->fault = fault;
	),
	TP_printk("node=%d mesh=%u job=%llu op=%u status=%d fault=%u", __entry->node,
		  __entry->mesh, __entry->job, __entry->index, __entry->status, __entry->fault)
);

TRACE_EVENT(kohaku_fault,
	TP_PROTO(const struct kohaku_mesh *mesh, const struct kohaku_fault_read *record),
	TP_ARGS(mesh, record),
	TP_STRUCT__entry(
		__field(int, node)
		__field(u32, mesh)
		__field(u64, job)
		__field(u32, index)
		__field(u32, code)
		__field(u64, element)
		__field(u64, words)
	),
	TP_fast_assign(
		__entry->node = mesh->node->index;
		__entry->mesh = mesh->index;
		__entry->job = record->out_job;
		__entry->index = record->out_index;
		__entry->code = record->out_code;
		__entry->element = record->out_element;
		__entry->words = record->out_words;
	),
	TP_printk("node=%d mesh=%u job=%llu op=%u code=%u element=%llu words=%llu",
		  __entry->node, __entry->mesh, __entry->job, __entry->index, __entry->code,
		  __entry->element, __entry->words)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>

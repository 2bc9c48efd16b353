/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The transfer fabric of a node: vector loads and stores between lanes.
 *
 * Every device has a fabric of its own: pages of virtual memory, 32 registers of
 * one 8-byte word a lane, and programs of loads and stores.  Nodes without one
 * answer -EOPNOTSUPP; "sim:" takes fabric=, configfs an attribute of that name: "none",
 * or kamlets and their jamlets as in "2x2:2x2", followed by any of /line=, /slots=,
 * /page=, /rows=, /waits=, /idents=, /syncs=, /order= (moore, row, row-torus, column,
 * column-torus) and /push_ack.
 *
 * Errors and threads are as in <kohaku.h>.  While a program runs everything but
 * kohaku_fabric_query() and the trace answers -EBUSY.
 */
#ifndef KOHAKU_TRANSFER_H
#define KOHAKU_TRANSFER_H

#include <stddef.h>
#include <stdint.h>
#include <linux/kohaku.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kohaku_device;
struct kohaku_job;

/**
 * kohaku_fabric_query() - what the fabric is made of and what it has done
 * @device: the device
 * @clear: whether to set counters and high-water marks to 0 afterwards
 * @out: the answer
 *
 * Return: 0 or -errno.
 */
int kohaku_fabric_query(struct kohaku_device *device, int clear, struct kohaku_fabric_query *out);

/**
 * kohaku_fabric_map() - map a page of zeros
 * @device: the device
 * @address: where, a multiple of the page size
 * @memory: &enum kohaku_fabric_memory
 * @flags: KOHAKU_FABRIC_READABLE, KOHAKU_FABRIC_WRITABLE
 * @stripes: layouts of its stripes, NULL for 64-bit elements in the registers' order
 * @count: how many; all of a page
 *
 * Return: 0, -EINVAL, -EEXIST: mapped already, -ENOSPC: as many as can be.
 */
int kohaku_fabric_map(struct kohaku_device *device, uint64_t address, uint32_t memory,
		      uint32_t flags, const struct kohaku_fabric_stripe *stripes,
		      uint32_t count);

/**
 * kohaku_fabric_unmap() - forget a page and its bytes
 * @device: the device
 * @address: where it was mapped
 *
 * Return: 0, or -ENOENT.
 */
int kohaku_fabric_unmap(struct kohaku_device *device, uint64_t address);

/**
 * kohaku_fabric_layout() - how the stripes of a vector page are laid out now
 * @device: the device
 * @address: where it was mapped
 * @stripes: receives them
 * @count: room there; the stripes of a page
 *
 * Return: 0, -ENOENT, or -EMSGSIZE: too little room.
 */
int kohaku_fabric_layout(struct kohaku_device *device, uint64_t address,
			 struct kohaku_fabric_stripe *stripes, uint32_t count);

/**
 * kohaku_fabric_read() - copy bytes out of the fabric's memory
 * @device: the device
 * @address: virtual address of the first
 * @bytes: receives them
 * @length: how many; each MiB of them is read at one moment
 *
 * Return: 0, or -ENOENT: some byte is not mapped.
 */
int kohaku_fabric_read(struct kohaku_device *device, uint64_t address, void *bytes,
		       size_t length);

/**
 * kohaku_fabric_write() - copy bytes into the fabric's memory
 * @device: the device
 * @address: virtual address of the first
 * @bytes: the bytes
 * @length: how many
 *
 * Return: 0, or -ENOENT: some byte is not mapped.
 */
int kohaku_fabric_write(struct kohaku_device *device, uint64_t address, const void *bytes,
			size_t length);

/**
 * kohaku_fabric_register_read() - read a register
 * @device: the device
 * @reg: its number
 * @words: receives one word a lane, lane 0 first
 * @lanes: how many
 * @width: receives the width of its elements, bits; may be NULL
 *
 * Element e of a register of width w lies in lane e % lanes from bit e / lanes * w on.
 *
 * Return: 0, or -EINVAL: no such register, or not as many lanes.
 */
int kohaku_fabric_register_read(struct kohaku_device *device, uint32_t reg, uint64_t *words,
				uint32_t lanes, uint32_t *width);

/**
 * kohaku_fabric_register_write() - write a register
 * @device: the device
 * @reg: its number
 * @words: one word a lane
 * @lanes: how many
 * @width: width of its elements: 1 (a mask), 8, 16, 32, 64 bits
 *
 * Return: 0, or -EINVAL.
 */
int kohaku_fabric_register_write(struct kohaku_device *device, uint32_t reg,
				 const uint64_t *words, uint32_t lanes, uint32_t width);

/**
 * kohaku_job_transfer() - append a program of the fabric
 * @job: the job
 * @insns: its instructions; read when the job is submitted, so they must stay in
 *	place until then
 * @count: how many
 *
 * The job ends with KOHAKU_FAULT_PAGE there if an element faulted.
 *
 * Return: 0 or -ENOMEM.
 */
int kohaku_job_transfer(struct kohaku_job *job, const struct kohaku_transfer_insn *insns,
			uint32_t count);

/**
 * kohaku_fabric_results() - what became of the last program
 * @device: the device
 * @results: receives one result for each instruction
 * @count: room there
 *
 * Return: number of instructions, -ENOENT: no program has ended, -EMSGSIZE: too little
 * room.
 */
int kohaku_fabric_results(struct kohaku_device *device, struct kohaku_transfer_result *results,
			  uint32_t count);

/**
 * kohaku_fabric_run() - run a program and wait for its results
 * @device: the device
 * @insns: its instructions
 * @count: how many
 * @results: receives one result for each
 * @bad: receives the instruction that was refused; may be NULL
 *
 * Return: 0 when the program ended, whether elements faulted or not; -EINVAL or
 * -EOPNOTSUPP: an instruction is wrong and nothing ran; -ETIMEDOUT.
 */
int kohaku_fabric_run(struct kohaku_device *device, const struct kohaku_transfer_insn *insns,
		      uint32_t count, struct kohaku_transfer_result *results, uint32_t *bad);

/**
 * kohaku_fabric_trace() - keep the fabric's events, and take them out
 * @device: the device
 * @flags: KOHAKU_FABRIC_TRACE_START, KOHAKU_FABRIC_TRACE_STOP or 0
 * @events: receives them, oldest first
 * @count: room there
 * @lost: receives how many were lost since the start; may be NULL
 *
 * Return: number of events, or -ENOENT: no trace was started.
 */
int kohaku_fabric_trace(struct kohaku_device *device, uint32_t flags,
			struct kohaku_fabric_event *events, uint32_t count, uint64_t *lost);

/**
 * kohaku_fabric_message_name() - name of a message type
 * @type: its place in kohaku_fabric_query.out_messages
 *
 * Return: a short text, never NULL.
 */
const char *kohaku_fabric_message_name(uint32_t type);

/**
 * kohaku_fabric_state_name() - name of the state of a row, a byte or a cache line
 * @kind: KOHAKU_FABRIC_ROW, KOHAKU_FABRIC_BYTE or KOHAKU_FABRIC_LINE
 * @state: from the event
 *
 * Return: a short text, never NULL.
 */
const char *kohaku_fabric_state_name(uint32_t kind, uint32_t state);

/**
 * kohaku_transfer_fault_text() - name of what an element met
 * @fault: &enum kohaku_transfer_fault
 *
 * Return: a short text, never NULL.
 */
const char *kohaku_transfer_fault_text(uint32_t fault);

#ifdef __cplusplus
}
#endif

#endif

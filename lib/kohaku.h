/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libkohaku: a Kohaku node from a program.
 */
#ifndef KOHAKU_H
#define KOHAKU_H

#include <stddef.h>
#include <stdint.h>
#include <linux/kohaku.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * DOC: Error convention
 *
 * Every function that can fail returns an int: 0 (or a count, where it says so)
 * for success, a negative errno for an error.  Objects come back through the
 * last argument, which is untouched on an error.  errno itself is not used.  The
 * errnos of a command are those of the table in <linux/kohaku.h>; whatever else
 * a function adds stands at that function.  kohaku_device_reason() tells a person
 * what was refused, why, and what to do about it.
 *
 * Getters and destructors cannot fail; destructors take NULL.
 *
 * DOC: Objects
 *
 * A &struct kohaku_device is an open node: /dev/kohaku, or a simulated one inside
 * this process ("sim:").  A &struct kohaku_buffer is memory of that node.  A
 * &struct kohaku_job is a list of operations, plain data: it is built, changed and
 * thrown away without a node, and can run many times.
 *
 * DOC: Threads
 *
 * There is no global state.  Any number of threads may use one device at the same
 * time, and different objects are independent.  One buffer or one job must not be
 * changed (freed, mapped, unmapped; appended to, reset) by one thread while another
 * uses it.
 *
 * DOC: Units
 *
 * Lengths, offsets and strides are bytes; a word is 32 bytes, the only granule
 * that the node transfers; an element of a walk is one word.
 */

struct kohaku_device;
struct kohaku_buffer;
struct kohaku_job;
struct kohaku_packing;
struct kohaku_reason;
struct kohaku_route;

/** define KOHAKU_REASON_SIZE - room for any reason text, bytes */
#define KOHAKU_REASON_SIZE 256

/**
 * kohaku_open() - open a node
 * @name: which one: a path such as "/dev/kohaku1"; "sim:" for a simulated node in
 *	this process, which needs no driver and no privilege; NULL for what
 *	$KOHAKU_NODE names, or else /dev/kohaku
 * @out: the device; close it with kohaku_close()
 *
 * "sim:" takes options, as in "sim:meshes=4,quirks=gather":
 *
 * ================ ===========================================================
 * meshes=N         1..4, default 1
 * complex=NAME     processors in front of the mover: none, rv32 (default), rv64;
 *                  transforms need rv32
 * quirks=NAME      none (default), or gather: the mover's index bug
 * slot_depth=N     entries in flight in the transform slot, 1 (default) or 2
 * fabric=GEOMETRY  transfer fabric, see <kohaku_transfer.h>: kamlets and jamlets of
 *                  each as in 2x2:2x2 (default), or none
 * hang             every move hangs
 * no_motion        every move reports done and moves nothing
 * ecc              reading a word that was never written is an error
 * error_at_beat=N  the N-th beat of every move answers an error
 * ================ ===========================================================
 *
 * Return: 0, or -ENOENT no such device file, -ENODEV not a Kohaku node, -EINVAL
 * options of "sim:" not understood, -ENOMEM, or what open(2) answers.
 * kohaku_open_reason() explains them.
 */
int kohaku_open(const char *name, struct kohaku_device **out);

/**
 * kohaku_open_reason() - say why kohaku_open() failed
 * @name: what was given to kohaku_open()
 * @error: what it returned
 * @text: room for one line, KOHAKU_REASON_SIZE bytes are enough
 * @size: bytes of @text
 */
void kohaku_open_reason(const char *name, int error, char *text, size_t size);

/**
 * kohaku_close() - close a node
 * @device: the device or NULL
 *
 * Frees every buffer that is still there; jobs in flight are cancelled or
 * finished first.  The buffers' handles become invalid.
 */
void kohaku_close(struct kohaku_device *device);

/**
 * kohaku_device_name() - what was opened
 * @device: the device
 *
 * Return: the path, or "sim:" with its options; valid until kohaku_close().
 */
const char *kohaku_device_name(const struct kohaku_device *device);

/**
 * kohaku_device_fd() - file descriptor to poll
 * @device: the device
 *
 * It is readable (POLLIN) while a completion record waits, and says POLLHUP when
 * the node went away.  It is for poll() and its relatives only: records are read
 * with kohaku_completions_read().
 *
 * Return: the file descriptor; it belongs to the device.
 */
int kohaku_device_fd(const struct kohaku_device *device);

/**
 * kohaku_device_reason() - say why the last call was refused
 * @device: the device
 * @text: room for one line, KOHAKU_REASON_SIZE bytes are enough
 * @size: bytes of @text
 *
 * What was refused, why, and what to do, of the last command on this device that
 * failed (from any thread); empty when none did.
 */
void kohaku_device_reason(struct kohaku_device *device, char *text, size_t size);

/**
 * kohaku_device_command() - run a command of <linux/kohaku.h> as it is
 * @device: the device
 * @command: e.g. KOHAKU_SUBMIT
 * @arg: its struct, whose first member is its size
 *
 * For what this library does not wrap.  Works on "sim:" too, with the same rules.
 *
 * Return: 0 or the command's negative errno.
 */
int kohaku_device_command(struct kohaku_device *device, uint32_t command, void *arg);

/**
 * kohaku_device_info() - what a node is and how much of everything it takes
 * @device: the device
 * @info: the answer; fields that the node's driver does not know are 0
 *
 * Return: 0 or -errno.
 */
int kohaku_device_info(struct kohaku_device *device, struct kohaku_info *info);

/**
 * kohaku_device_probe() - ask what a command takes
 * @device: the device
 * @command: the command asked about
 * @probe: the answer
 *
 * Return: 0, or -ENOTTY: this node does not have the command.
 */
int kohaku_device_probe(struct kohaku_device *device, uint32_t command,
			struct kohaku_probe *probe);

/**
 * kohaku_device_occupant() - who is in the transform slot
 * @device: the device
 * @mesh: whose slot
 * @occupant: id of the occupant, 0..15
 * @out: the answer, without the occupant's table
 *
 * Return: 0, -ENOENT nobody there, -EOPNOTSUPP no slot, -EINVAL no such mesh.
 */
int kohaku_device_occupant(struct kohaku_device *device, uint32_t mesh, uint32_t occupant,
			   struct kohaku_slot_query *out);

/**
 * kohaku_device_occupant_named() - find an occupant of the transform slot
 * @device: the device
 * @mesh: whose slot
 * @name: as in &struct kohaku_slot_query, e.g. "quantise"
 * @out: the answer, without the occupant's table; its id is in out->occupant
 *
 * Return: 0, -ENOENT nobody of that name, -EOPNOTSUPP no slot, -EINVAL no such mesh.
 */
int kohaku_device_occupant_named(struct kohaku_device *device, uint32_t mesh, const char *name,
				 struct kohaku_slot_query *out);

/**
 * kohaku_device_reset() - reset a node
 * @device: the device
 *
 * Ends the jobs of everybody with -ECANCELED; other open files lose their buffers,
 * this one keeps its own.
 *
 * Return: 0, -EPERM without CAP_SYS_ADMIN, -EIO when the node stays wedged.
 */
int kohaku_device_reset(struct kohaku_device *device);

/**
 * kohaku_device_eventfd() - name the eventfd that completions add 1 to
 * @device: the device
 * @fd: an eventfd, or -1 for none
 *
 * Return: 0 or -errno.
 */
int kohaku_device_eventfd(struct kohaku_device *device, int fd);

/**
 * kohaku_buffer_alloc() - reserve memory of a node
 * @device: the device
 * @mesh: mesh whose memory it is
 * @tier: &enum kohaku_tier
 * @flags: KOHAKU_BUF_FALLBACK or 0
 * @length: bytes, at least 1
 * @out: the buffer, which reads as zero; give it back with kohaku_buffer_free()
 *
 * Return: 0, or -ENOSPC no room in that tier, -EINVAL no such mesh or length 0,
 * -EOPNOTSUPP no such tier or flag, -ENOMEM.
 */
int kohaku_buffer_alloc(struct kohaku_device *device, uint32_t mesh, uint32_t tier,
			uint32_t flags, uint64_t length, struct kohaku_buffer **out);

/**
 * kohaku_buffer_free() - give a buffer back
 * @buffer: the buffer or NULL; invalid after success
 *
 * Unmaps it first.
 *
 * Return: 0, or -EBUSY: a job still uses it, the buffer stays.
 */
int kohaku_buffer_free(struct kohaku_buffer *buffer);

/**
 * kohaku_buffer_id() - id of a buffer
 * @buffer: the buffer
 *
 * Return: the id that &struct kohaku_walker names it by, never 0.
 */
uint32_t kohaku_buffer_id(const struct kohaku_buffer *buffer);

/**
 * kohaku_buffer_length() - length of a buffer
 * @buffer: the buffer
 *
 * Return: bytes reserved: the length asked for, rounded up to the tier's alignment.
 */
uint64_t kohaku_buffer_length(const struct kohaku_buffer *buffer);

/**
 * kohaku_buffer_tier() - where a buffer is
 * @buffer: the buffer
 *
 * Return: &enum kohaku_tier; not the one asked for only after a fallback.
 */
uint32_t kohaku_buffer_tier(const struct kohaku_buffer *buffer);

/**
 * kohaku_buffer_mesh() - whose memory a buffer is
 * @buffer: the buffer
 *
 * Return: the mesh.
 */
uint32_t kohaku_buffer_mesh(const struct kohaku_buffer *buffer);

/**
 * kohaku_buffer_read() - copy bytes out of a buffer
 * @buffer: the buffer
 * @offset: first byte, a multiple of 32
 * @data: where they go
 * @length: bytes, a multiple of 32
 *
 * Not ordered against jobs in flight.
 *
 * Return: 0, or -EINVAL: not whole words, or outside the buffer.
 */
int kohaku_buffer_read(struct kohaku_buffer *buffer, uint64_t offset, void *data,
		       uint64_t length);

/**
 * kohaku_buffer_write() - copy bytes into a buffer
 * @buffer: the buffer
 * @offset: first byte, a multiple of 32
 * @data: where they come from
 * @length: bytes, a multiple of 32
 *
 * Not ordered against jobs in flight.
 *
 * Return: 0, or -EINVAL: not whole words, or outside the buffer.
 */
int kohaku_buffer_write(struct kohaku_buffer *buffer, uint64_t offset, const void *data,
			uint64_t length);

/**
 * kohaku_buffer_map() - see a buffer in memory
 * @buffer: the buffer
 * @out: its first byte
 *
 * A second call gives the same address.
 *
 * Return: 0, or -EOPNOTSUPP: this node or this buffer cannot be mapped, use
 * kohaku_buffer_read() and kohaku_buffer_write(); or what mmap(2) answers.
 */
int kohaku_buffer_map(struct kohaku_buffer *buffer, void **out);

/**
 * kohaku_buffer_unmap() - end a mapping
 * @buffer: the buffer, mapped or not
 */
void kohaku_buffer_unmap(struct kohaku_buffer *buffer);

/**
 * kohaku_job_new() - begin an empty job
 * @out: the job; throw it away with kohaku_job_free()
 *
 * Return: 0 or -ENOMEM.
 */
int kohaku_job_new(struct kohaku_job **out);

/**
 * kohaku_job_free() - throw a job away
 * @job: the job or NULL; what was submitted of it goes on
 */
void kohaku_job_free(struct kohaku_job *job);

/**
 * kohaku_job_reset() - empty a job
 * @job: the job; it keeps its memory, but no operation, timeout or cookie
 */
void kohaku_job_reset(struct kohaku_job *job);

/**
 * kohaku_job_length() - operations of a job
 * @job: the job
 *
 * Return: how many it has.
 */
size_t kohaku_job_length(const struct kohaku_job *job);

/**
 * kohaku_job_op() - one operation of a job
 * @job: the job
 * @index: which, from 0 on
 *
 * Return: the operation, valid until the job changes; NULL: no such one.
 */
const struct kohaku_op *kohaku_job_op(const struct kohaku_job *job, size_t index);

/**
 * kohaku_job_move() - append a move
 * @job: the job
 * @mesh: mesh that runs it
 * @move: the descriptor; anything that the mover can do
 *
 * Nothing is checked until the job is submitted.
 *
 * Return: 0, -ENOMEM, or -EINVAL: no node has that many meshes.
 */
int kohaku_job_move(struct kohaku_job *job, uint32_t mesh, const struct kohaku_move *move);

/**
 * kohaku_job_vector() - append a pass of the vector core
 * @job: the job
 * @mesh: mesh that runs it
 * @relayout: the plan and where its blocks are; the array that @starts names is
 *	read when the job is submitted, so it must stay in place until then
 *
 * Nothing is checked until the job is submitted.  kohaku_job_route() makes such
 * passes of a whole conversion.
 *
 * Return: 0, -ENOMEM, or -EINVAL: no node has that many meshes.
 */
int kohaku_job_vector(struct kohaku_job *job, uint32_t mesh,
		      const struct kohaku_relayout *relayout);

/**
 * kohaku_job_copy() - append a copy of consecutive bytes
 * @job: the job
 * @dst: where they go
 * @dst_offset: first byte there, a multiple of 32
 * @src: where they come from; its mesh runs the copy
 * @src_offset: first byte there, a multiple of 32
 * @length: bytes, a multiple of 32; 0 appends nothing
 *
 * The two ranges must not overlap.  More than 1 GiB becomes several operations.
 *
 * Return: 0, -EINVAL for an offset or length that is no multiple of 32 or a range
 * that leaves its buffer, -ENOMEM.
 */
int kohaku_job_copy(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
		    struct kohaku_buffer *src, uint64_t src_offset, uint64_t length);

/**
 * kohaku_job_fill() - append a fill of consecutive bytes with a pattern
 * @job: the job
 * @dst: where they are; its mesh runs the fill
 * @offset: first byte, a multiple of 32
 * @length: bytes, a multiple of 32; 0 appends nothing
 * @pattern_size: bytes of the pattern: 1, 2 or 4
 * @pattern: the pattern, in its low bytes
 *
 * Return: 0, -EINVAL for an offset, length or pattern that does not fit, -ENOMEM.
 */
int kohaku_job_fill(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t offset,
		    uint64_t length, uint32_t pattern_size, uint32_t pattern);

/**
 * kohaku_job_generate() - append a fill of consecutive bytes with random words
 * @job: the job
 * @dst: where they are; its mesh runs it
 * @offset: first byte, a multiple of 32
 * @length: bytes, a multiple of 32; 0 appends nothing
 * @seed: key of the random numbers
 *
 * A word depends on nothing but the seed and its address in the node: the same
 * bytes of the same buffer get the same words, another buffer gets others.
 *
 * Return: 0, -EINVAL for an offset or length that does not fit, -ENOMEM.
 */
int kohaku_job_generate(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t offset,
			uint64_t length, uint64_t seed);

/**
 * kohaku_job_gather() - append a gather of rows into consecutive bytes
 * @job: the job
 * @dst: where the rows go, one after the other
 * @dst_offset: first byte there, a multiple of 32
 * @src: where they come from; its mesh runs it
 * @src_offset: byte of row 0 there, a multiple of 32
 * @pitch: bytes from one row to the next, a multiple of 32
 * @row_length: bytes of a row, a multiple of 32
 * @rows: numbers of the rows; read when the job is submitted, so they must stay
 *	in place until then
 * @count: how many, at most kohaku_info.out_max_indices
 *
 * Return: 0, -EINVAL for something that does not fit, -ENOMEM.
 */
int kohaku_job_gather(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
		      struct kohaku_buffer *src, uint64_t src_offset, uint32_t pitch,
		      uint32_t row_length, const uint32_t *rows, uint32_t count);

/**
 * kohaku_job_xform() - append a transform of consecutive bytes
 * @job: the job
 * @dst: where the entries go, four words each
 * @dst_offset: first byte there, a multiple of 128
 * @src: where they come from; its mesh runs it
 * @src_offset: first byte there, a multiple of 32
 * @occupant: id of the occupant that transforms them
 * @mode: its mode
 * @entry_words: source words of an entry, see kohaku_device_occupant()
 * @entries: how many, at most 65535
 *
 * Return: 0, -EINVAL for something that does not fit, -ENOMEM.
 */
int kohaku_job_xform(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
		     struct kohaku_buffer *src, uint64_t src_offset, uint32_t occupant,
		     uint32_t mode, uint32_t entry_words, uint32_t entries);

/**
 * kohaku_job_slot_load() - append new values for the table of an occupant
 * @job: the job
 * @mesh: whose slot
 * @occupant: id of an occupant that has a table
 * @first: entry of the table that the first value goes to
 * @values: the values; read when the job is submitted, so they must stay in place
 *	until then
 * @count: how many
 *
 * Return: 0, -ENOMEM, or -EINVAL: no node has that many meshes.
 */
int kohaku_job_slot_load(struct kohaku_job *job, uint32_t mesh, uint32_t occupant,
			 uint32_t first, const uint16_t *values, uint32_t count);

/**
 * kohaku_job_relayout() - append the conversion of an array to another layout
 * @job: the job
 * @dst: where the array goes
 * @dst_offset: its first byte there, a multiple of 32
 * @src: where it comes from; its mesh runs the conversion
 * @src_offset: its first byte there, a multiple of 32
 * @before: how it lies in @src, from kohaku_packing_init()
 * @after: how it shall lie in @dst
 * @reason: why not, may be NULL; see <kohaku_relayout.h>
 *
 * One move does a whole batch where its descriptor has a dimension left for that,
 * else one for each block.  It takes conversions that move whole words only; the two
 * ranges must not overlap.
 *
 * Return: 0, -EDOM: the layouts take words apart, or no descriptor has enough
 * dimensions; -EINVAL: not the same array, or it leaves a buffer; -ENOMEM.
 */
int kohaku_job_relayout(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
			struct kohaku_buffer *src, uint64_t src_offset,
			const struct kohaku_packing *before, const struct kohaku_packing *after,
			struct kohaku_reason *reason);

/**
 * kohaku_job_route() - append the operations of a route
 * @job: the job
 * @route: from kohaku_route_init()
 * @dst: where the array goes; @src if the route was found for in place
 * @dst_offset: its first byte there, a multiple of 32, or 128 for the slot
 * @src: where it comes from; its mesh runs the conversion
 * @src_offset: its first byte there, a multiple of 32
 * @staging: room for route->staging bytes on the same mesh, NULL if that is 0
 * @staging_offset: where in @staging, a multiple of 128
 * @reason: why not, may be NULL
 *
 * The job keeps what it needs of @route, which may go away.
 *
 * Return: 0, -EOPNOTSUPP: a step is the host's; -EINVAL: no room to stage in, or
 * more runs than one operation takes; -ENOMEM.
 */
int kohaku_job_route(struct kohaku_job *job, const struct kohaku_route *route,
		     struct kohaku_buffer *dst, uint64_t dst_offset, struct kohaku_buffer *src,
		     uint64_t src_offset, struct kohaku_buffer *staging, uint64_t staging_offset,
		     struct kohaku_reason *reason);

/**
 * kohaku_job_marker() - append an operation that does nothing
 * @job: the job
 * @mesh: mesh that runs it
 *
 * Return: 0, -ENOMEM, or -EINVAL: no node has that many meshes.
 */
int kohaku_job_marker(struct kohaku_job *job, uint32_t mesh);

/**
 * kohaku_job_barrier() - order what follows after everything so far, on every mesh
 * @job: the job
 *
 * Without it the operations of one mesh run in order, but meshes run beside each
 * other.  It appends nothing: it marks the next operation of each mesh.
 */
void kohaku_job_barrier(struct kohaku_job *job);

/**
 * kohaku_job_verify() - have the moves that follow proven
 * @job: the job
 * @on: 1 from here on, 0 no longer
 *
 * The node marks the last word that a move writes and looks whether it was
 * overwritten; if not, the job ends with KOHAKU_FAULT_NO_MOTION.
 */
void kohaku_job_verify(struct kohaku_job *job, int on);

/**
 * kohaku_job_timeout() - limit how long each operation may take
 * @job: the job
 * @timeout_ns: nanoseconds, 0 for the node's default
 */
void kohaku_job_timeout(struct kohaku_job *job, uint64_t timeout_ns);

/**
 * kohaku_job_run() - run a job and wait for its end
 * @job: the job; not changed
 * @device: the device that its buffers are of
 * @out: what became of it, or NULL
 *
 * Signals do not end the wait.
 *
 * Return: 0; the negative errno of SUBMIT, when nothing ran (@out then is zero); or
 * the status of the job: -EIO for a fault, which kohaku_fault_read() describes,
 * -ETIMEDOUT, -ECANCELED, -ENODEV.
 */
int kohaku_job_run(const struct kohaku_job *job, struct kohaku_device *device,
		   struct kohaku_completion *out);

/**
 * kohaku_job_submit() - start a job and return at once
 * @job: the job; it may be changed or freed afterwards
 * @device: the device that its buffers are of
 * @cookie: comes back in the completion
 * @out: id of the job, for kohaku_wait()
 *
 * Return: 0, or the negative errno of SUBMIT; nothing was started then.
 */
int kohaku_job_submit(const struct kohaku_job *job, struct kohaku_device *device,
		      uint64_t cookie, uint64_t *out);

/** define KOHAKU_FOREVER - a deadline that never comes */
#define KOHAKU_FOREVER UINT64_MAX

/**
 * kohaku_wait() - wait for a job and collect its completion
 * @device: the device
 * @job: id from kohaku_job_submit()
 * @deadline_ns: CLOCK_MONOTONIC time; 0 only looks, KOHAKU_FOREVER
 * @out: what became of the job
 *
 * Return: 0 when the job ended, however it did; -ETIMEDOUT not yet; -EINTR a signal
 * came; -ENOENT no such job, or its completion was collected already.
 */
int kohaku_wait(struct kohaku_device *device, uint64_t job, uint64_t deadline_ns,
		struct kohaku_completion *out);

/**
 * kohaku_completions_read() - collect completions in the order they came
 * @device: the device
 * @out: room for records
 * @count: how many fit, at least 1
 *
 * Does not wait; poll kohaku_device_fd() for that.
 *
 * Return: number of records, or -EAGAIN: none waits.
 */
int kohaku_completions_read(struct kohaku_device *device, struct kohaku_completion *out,
			    unsigned int count);

/**
 * kohaku_fault_read() - describe the last fault of this device
 * @device: the device
 * @clear: whether to forget it then
 * @out: the record
 *
 * Return: 0, or -ENOENT: there was none.
 */
int kohaku_fault_read(struct kohaku_device *device, int clear, struct kohaku_fault_read *out);

/**
 * kohaku_fault_text() - name of a fault
 * @code: &enum kohaku_fault_code
 *
 * Return: a short text, never NULL.
 */
const char *kohaku_fault_text(uint32_t code);

#ifdef __cplusplus
}
#endif

#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the transfer fabric: as lines, and in Chrome's trace format, where a
 * kamlet is a process and each of its units a thread.
 */
#include <errno.h>
#include <string.h>

#include "transfer.h"

static void party_text(const struct kohaku_fabric_party *party, char *text, size_t size)
{
	switch (party->unit) {
	case KOHAKU_FABRIC_JAMLET:
		snprintf(text, size, "jamlet(%u,%u)", party->x, party->y);
		break;
	case KOHAKU_FABRIC_KAMLET:
		snprintf(text, size, "kamlet %u", party->kamlet);
		break;
	case KOHAKU_FABRIC_MEMLET:
		snprintf(text, size, "memlet %u", party->kamlet);
		break;
	default:
		snprintf(text, size, "lamlet");
	}
}

static void name_text(const struct kohaku_fabric_event *event, char *text, size_t size)
{
	static const char *const subjects[] = {
		[KOHAKU_FABRIC_ROW] = "row", [KOHAKU_FABRIC_BYTE] = "byte",
		[KOHAKU_FABRIC_LINE] = "line",
	};

	switch (event->kind) {
	case KOHAKU_FABRIC_SEND:
	case KOHAKU_FABRIC_TAKE:
		snprintf(text, size, "%s", kohaku_fabric_message_name(event->type));
		break;
	case KOHAKU_FABRIC_SYNC:
	case KOHAKU_FABRIC_SYNC_DONE:
		snprintf(text, size, "%s%s", event->type ? "verdict" : "barrier",
			 event->kind == KOHAKU_FABRIC_SYNC ? "" : " done");
		break;
	default:
		snprintf(text, size, "%s %s", subjects[event->kind % 5],
			 kohaku_fabric_state_name(event->kind, event->state));
	}
}

void transfer_trace_text(const struct kohaku_fabric_event *event, char *text, size_t size)
{
	char from[32], to[32], name[48];
	int length;

	party_text(&event->from, from, sizeof(from));
	party_text(&event->to, to, sizeof(to));
	name_text(event, name, sizeof(name));
	length = snprintf(text, size, "%llu insn %u ident %u %s ",
			  (unsigned long long)event->tick, event->insn, event->ident, from);
	if (event->kind == KOHAKU_FABRIC_SEND)
		snprintf(text + length, size - length, "sends %s to %s byte %u to %u, %u bytes, arrives %llu",
			 name, to, event->source, event->target, event->bytes,
			 (unsigned long long)event->arrival);
	else if (event->kind == KOHAKU_FABRIC_TAKE)
		snprintf(text + length, size - length, "-> %s takes %s", to, name);
	else if (event->kind == KOHAKU_FABRIC_BYTE)
		snprintf(text + length, size - length, "%s (byte %u)", name, event->source);
	else if (event->kind == KOHAKU_FABRIC_LINE)
		snprintf(text + length, size - length, "%s (line %u)", name, event->line);
	else
		snprintf(text + length, size - length, "%s", name);
}

/* Process and thread of who has an event: the lamlet is a process of its own. */
static uint32_t process_of(const struct kohaku_fabric_party *party, uint32_t kamlets)
{
	return party->unit == KOHAKU_FABRIC_LAMLET ? kamlets : party->kamlet;
}

static uint32_t thread_of(const struct kohaku_fabric_party *party)
{
	switch (party->unit) {
	case KOHAKU_FABRIC_JAMLET:
		return 16 + party->y * 16u + party->x;
	case KOHAKU_FABRIC_MEMLET:
		return 1;
	default:
		return 0;
	}
}

/* Ticks stand for microseconds. */
static void write_event(FILE *file, const struct kohaku_fabric_event *event, uint32_t kamlets)
{
	char name[48], to[32];

	name_text(event, name, sizeof(name));
	party_text(&event->to, to, sizeof(to));
	fprintf(file, ",\n{\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%llu", name,
		process_of(&event->from, kamlets), thread_of(&event->from),
		(unsigned long long)event->tick);
	if (event->kind == KOHAKU_FABRIC_SEND)
		fprintf(file, ",\"ph\":\"X\",\"dur\":%llu,\"args\":{\"to\":\"%s\",\"bytes\":%u,",
			(unsigned long long)(event->arrival - event->tick), to, event->bytes);
	else
		fprintf(file, ",\"ph\":\"i\",\"s\":\"t\",\"args\":{");
	fprintf(file, "\"insn\":%u,\"ident\":%u}}", event->insn, event->ident);
}

static void write_names(FILE *file, const struct kohaku_fabric_event *events, uint32_t count,
			uint32_t kamlets)
{
	static bool named[17][16 + 256];
	uint32_t i, k;

	memset(named, 0, sizeof(named));
	for (k = 0; k < kamlets; k++)
		fprintf(file, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
			"\"args\":{\"name\":\"kamlet %u\"}},\n", k, k);
	fprintf(file, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,"
		"\"args\":{\"name\":\"lamlet\"}}", kamlets);
	for (i = 0; i < count; i++) {
		const struct kohaku_fabric_party *party = &events[i].from;
		uint32_t process = process_of(party, kamlets), thread = thread_of(party);
		char name[32];

		if (process > 16 || thread >= 16 + 256 || named[process][thread])
			continue;
		named[process][thread] = true;
		party_text(party, name, sizeof(name));
		fprintf(file, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,"
			"\"args\":{\"name\":\"%s\"}}", process, thread, name);
	}
}

int transfer_trace_write(const struct cli *cli, const char *path,
			 const struct kohaku_fabric_event *events, uint32_t count,
			 uint32_t kamlets)
{
	FILE *file = fopen(path, "w");
	uint32_t i;
	int bad;

	if (!file)
		return cli_fail(cli, "%s: %s", path, strerror(errno));
	fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", file);
	write_names(file, events, count, kamlets);
	for (i = 0; i < count; i++) {
		if (events[i].kind != KOHAKU_FABRIC_TAKE && events[i].kind != KOHAKU_FABRIC_BYTE)
			write_event(file, &events[i], kamlets);
	}
	fputs("\n]}\n", file);
	bad = ferror(file);
	if (fclose(file) || bad)
		return cli_fail(cli, "%s: cannot write it", path);
	return CLI_OK;
}

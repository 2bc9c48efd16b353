# SPDX-License-Identifier: GPL-2.0
#
# Counts the lines that ran.  Reads what explains lines that did not, then sources
# as gcov annotates them: "COUNT:LINE:TEXT", several times where several objects
# have a line.

function part_of(file) {
	if (file ~ /^drivers\/kohaku\/hw\//)
		return "hw"
	return file ~ /^drivers\// ? "driver" : "sim"
}

function trim(text) {
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	return text
}

function row(hit, all, what) {
	printf "%6.1f %%  %5d of %5d  %s\n", 100 * hit / all, hit, all, what
}

# "FILE: TEXT" in the explanations' literal blocks.
FILENAME == ARGV[1] {
	if (match($0, /^\t[a-z_\/]+\.[ch]: /))
		explained[trim($0)] = 1
	next
}

/^ *-: *0:Source:/ {
	file = $0
	sub(/.*:Source:/, "", file)
	ours = sub("^" farm, "", file)
	next
}

ours && match($0, /^ *[0-9#=]+\*?: *[0-9]+:/) {
	split($0, field, ":")
	at = file ":" sprintf("%5d", field[2])
	text[at] = trim(substr($0, RLENGTH + 1))
	from[at] = file
	if (field[1] !~ /[#=]/)
		ran[at] = 1
}

END {
	for (at in text) {
		file = from[at]
		all[file]++
		hit[file] += at in ran
		if (at in ran)
			continue
		print at ": " text[at] | "sort > " missing
		if ((file ": *") in explained)
			seen[file ": *"] = 1
		else if ((file ": " text[at]) in explained)
			seen[file ": " text[at]] = 1
		else if (part_of(file) == "driver")
			open[++opens] = at ": " text[at]
	}
	for (file in all) {
		printf "%6.1f %%  %5d of %5d  %s\n", 100 * hit[file] / all[file], hit[file], all[file], file | "sort -n"
		all_of[part_of(file)] += all[file]
		hit_of[part_of(file)] += hit[file]
	}
	close("sort -n")
	for (part in all_of)
		row(hit_of[part], all_of[part], "total of " part)
	for (i = 1; i <= opens; i++)
		print "not run: " open[i] | "sort"
	close("sort")
	for (line in explained) {
		if (!(line in seen))
			print "explained, but it ran or is gone: " line
	}
}

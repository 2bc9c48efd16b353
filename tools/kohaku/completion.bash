# SPDX-License-Identifier: GPL-2.0
# bash completion of kohaku(1)

_kohaku()
{
	local commands='info status copy fill generate gather relayout plan slot quantise dequantise
		swizzle palette transfer faults reset sim load unload'
	local common='--device --json --help --version'
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
	local command='' verb='' files='' i candidates

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-d|--device)	((i++)) ;;
		-*)		;;
		*)		if [ -z "$command" ]; then
					command=${COMP_WORDS[i]}
				else
					verb=${verb:-${COMP_WORDS[i]}}
				fi ;;
		esac
	done

	case $before in
	-d|--device)
		candidates="sim: $(compgen -G '/dev/kohaku*')" ;;
	--tier)
		candidates='dram staging' ;;
	--packing)
		candidates='a b' ;;
	--table)
		[ "$command" = slot ] && candidates="--mesh $common" || files=1 ;;
	--from|--to)
		[ "$command" = swizzle ] && candidates='tiled linear' ||
		[ "$command" = copy ] && candidates='dram staging' || candidates='flat entry: tile:' ;;
	--route)
		candidates='auto mover slot vector host' ;;
	--mesh)
		candidates='0 1 2 3' ;;
	--width)
		candidates='1 2 4' ;;
	--size|--offset|--pattern|--seed|--shape|--shards)
		return ;;
	*)
		case $command$verb in
		'')		candidates="$commands $common" ;;
		copy*)		files=1 candidates="--mesh --from --to $common" ;;
		fill*)		files=1 candidates="--size --offset --pattern --width --mesh --tier $common" ;;
		generate*)	files=1 candidates="--seed --size --mesh --tier $common" ;;
		gather*)	files=1 candidates="--rows --mesh $common" ;;
		slot*)		candidates="--table --mesh $common" ;;
		quantise*)	files=1 candidates="--packing --mesh $common" ;;
		dequantise*)	files=1 candidates="--packing --shape --mesh $common" ;;
		swizzle*)	files=1 candidates="--to --mesh $common" ;;
		palette*)	files=1 candidates="--table --raw --mesh $common" ;;
		relayout*)	files=1 candidates="--from --to --shape --route --check --mesh $common" ;;
		plan*)		files=1 candidates="--from --to --shape --inplace --shards --depth --explain --svg $common" ;;
		transfer*)	files=1 candidates="--trace --trace-events $common" ;;
		sim)		candidates="create destroy list $common" ;;
		simcreate)	candidates='meshes= complex= quirks= slot_depth= fabric=' ;;
		simdestroy)	candidates=$(ls /sys/kernel/config/kohaku 2> /dev/null) ;;
		load*)		files=1 candidates=$common ;;
		*)		candidates=$common ;;
		esac ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$word")
	[ -z "$files" ] || [ "${word#-}" != "$word" ] ||
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _kohaku kohaku

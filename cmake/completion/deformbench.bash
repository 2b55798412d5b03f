# SPDX-License-Identifier: BSD-3-Clause
# Completion of `deformbench` in bash: verbs, options, and the names that `deformbench list` knows. All are asked of the
# command itself. The other shells run this file with the words so far, and get one reply per line.

_deformbench_verbs() {
  "$1" --help 2>/dev/null | awk '
    /^Subcommands:/ { within = 1; next }
    within && NF == 0 { within = 0 }
    within && /^  [a-z]/ { print $1 }
    / \| / && !/:/ { gsub(/\|/, " "); for (k = 1; k <= NF; ++k) print $k }'
}

_deformbench_names() { # COMMAND KIND: ids, and what follows the folder of an id
  "$1" list "$2" 2>/dev/null | awk '{ print $1; if (sub(/^.*\//, "", $1)) print $1 }'
}

_deformbench() {
  local command=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]:-} replies=
  local place=${COMP_WORDS[COMP_CWORD - 1]}
  [ "$COMP_CWORD" -gt 1 ] || place=verb
  [[ "$word" != -* ]] || place=option
  case "$place" in
    verb) replies="help $(_deformbench_verbs "$command")" ;;
    option) replies=$("$command" "$verb" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u) ;;
    help) replies=$(_deformbench_verbs "$command") ;;
    --tier) replies="smoke paper large" ;;
    --method) replies=$(_deformbench_names "$command" methods) ;;
    --claim) replies=$(_deformbench_names "$command" claims) ;;
    *)
      case "$verb" in
        list) replies="methods scenes experiments references claims channels" ;;
        run | time | status) replies="all $(_deformbench_names "$command" experiments)" ;;
        export-scene) replies=$(_deformbench_names "$command" scenes) ;;
        compare) replies=$(_deformbench_names "$command" methods) ;;
        register) replies=$(_deformbench_names "$command" claims) ;;
        describe)
          local kind
          for kind in methods scenes experiments references claims channels; do
            replies+=" $(_deformbench_names "$command" "$kind")"
          done
          ;;
      esac
      ;;
  esac
  COMPREPLY=()
  local reply
  while read -r reply; do
    [[ -z "$reply" || "$reply" != "$word"* ]] || COMPREPLY+=("$reply")
  done < <(tr -s ' ' '\n' <<< "$replies")
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _deformbench
  [ "${#COMPREPLY[@]}" -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
else
  complete -o default -F _deformbench deformbench
fi

# Runs bash code in which `agent-browser` controls the browser. Descriptor 3 carries each call as NUL-terminated fields:
# id, number of arguments, arguments, input. The answer is a line "id exit-code length-of-output length-of-errors
# length-of-file path", followed by the output, the errors and the file (base64). Calls run one at a time.
agent-browser() {
  local id="$BASHPID.$RANDOM$RANDOM" lock="${AGENT_BROWSER_LOCK:-}" header code out err file path input=
  # Other commands do not read stdin: a loop that reads lines and calls them in between would lose lines.
  case " $* " in *" --"*stdin" "*|' batch '|' batch --'*) input="$(cat)" ;; esac
  if [ -n "$lock" ]; then until mkdir "$lock" 2>/dev/null; do sleep 0.02; done; trap 'rmdir "$lock" 2>/dev/null' EXIT; fi
  { printf '%s\0' "$id" "$#"; [ "$#" -eq 0 ] || printf '%s\0' "$@"; printf '%s\0' "$input"; } >&3
  while IFS= read -r header <&3; do
    IFS=' ' read -r answered code out err file path <<<"$header"
    if [ "$answered" != "$id" ]; then head -c "$((out + err + file))" <&3 >/dev/null; continue; fi
    head -c "$out" <&3; [ "$err" -eq 0 ] || head -c "$err" <&3 >&2
    if [ "$file" -gt 0 ]; then head -c "$file" <&3 | base64 -d >"$path" || code=1; fi
    break
  done
  if [ -n "$lock" ]; then rmdir "$lock" 2>/dev/null; trap - EXIT; fi
  return "${code:-1}"
}
# Also creates a program, for xargs, timeout and similar, if the file system is private.
if [ "${1:-}" = private ] && mkdir -p "$HOME/.bin"; then
  export AGENT_BROWSER_LOCK="$HOME/.bin/lock"
  { echo '#!/bin/bash'; declare -f agent-browser; echo 'agent-browser "$@"'; } >"$HOME/.bin/agent-browser"
  chmod +x "$HOME/.bin/agent-browser"
  export PATH="$HOME/.bin:$PATH"
  unset -f agent-browser
else
  export -f agent-browser
fi
IFS= read -r -d '' __code <&3 || exit 0
set --
BASH_ARGV0=code
eval "$__code"

#!/usr/bin/env bash
# The step of action.yml: checks once, writes the log for code scanning, prints annotations and sets the outputs.
set -uo pipefail

# MANYWORLDS_COMMAND is for tests; others run the version that they asked for
if [ -n "${MANYWORLDS_COMMAND:-}" ]; then
	read -r -a command <<<"$MANYWORLDS_COMMAND"
else
	command=(npx --yes "manyworlds@${MANYWORLDS_VERSION}")
fi

arguments=(check)
while IFS= read -r line; do
	if [ -n "$line" ]; then arguments+=("$line"); fi
done <<<"${MANYWORLDS_PATHS:-.}"
while IFS= read -r line; do
	if [ -n "$line" ]; then arguments+=("$line"); fi
done <<<"${MANYWORLDS_ARGS:-}"
if [ -n "${MANYWORLDS_FAIL_ON:-}" ]; then arguments+=("--fail-on=$MANYWORLDS_FAIL_ON"); fi
if [ -n "${MANYWORLDS_BASELINE:-}" ]; then arguments+=("--baseline=$MANYWORLDS_BASELINE"); fi
if [ -n "${MANYWORLDS_CHANGED_SINCE:-}" ]; then arguments+=("--changed-since=$MANYWORLDS_CHANGED_SINCE"); fi

"${command[@]}" "${arguments[@]}" --format=sarif >"$MANYWORLDS_SARIF"
status=$?
"${command[@]}" "${arguments[@]}" --format=github --no-fixes

count() {
	node -e '
		const { runs } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		const found = runs.flatMap((run) => run.results).filter((one) => one.level === process.argv[2] && one.suppressions === undefined);
		process.stdout.write(String(found.length));
	' "$MANYWORLDS_SARIF" "$1"
}
{
	echo "errors=$(count error)"
	echo "warnings=$(count warning)"
	echo "sarif=$MANYWORLDS_SARIF"
} >>"$GITHUB_OUTPUT"
exit "$status"

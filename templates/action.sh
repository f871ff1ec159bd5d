#!/usr/bin/env bash
# The step "Check" of action.yml: runs cudnnlint once for the verdict and once for each format that is wanted.
# The second and later runs take what the first has read from the result cache.
set -uo pipefail
read -r -d '' -a paths <<<"$PATHS" || true
read -r -d '' -a options <<<"$ARGS" || true
[ -n "$TARGET" ] && options+=(--target "$TARGET")
[ -n "$FAIL_ON" ] && options+=(--fail-on "$FAIL_ON")
report="$RUNNER_TEMP/cudnnlint-report.json"

check() { "$CUDNNLINT" check "${options[@]}" "$@" "${paths[@]}"; }

check --output-format report --output-file "$report"
code=$?
{
  echo "report=$report"
  echo "exit-code=$code"
} >>"$GITHUB_OUTPUT"
[ "$code" -gt 1 ] && exit 0 # wrong use: the reason is in the log, and the step "Result" fails
[ "$ANNOTATIONS" = true ] && check --exit-zero --output-format github
[ -n "$SARIF" ] && check --exit-zero --output-format sarif --output-file "$SARIF"
if [ "$SUMMARY" = true ] || [ "$COMMENT" = true ]; then
  table="$RUNNER_TEMP/cudnnlint.md"
  check --exit-zero --output-format markdown --output-file "$table"
  [ "$SUMMARY" = true ] && cat "$table" >>"$GITHUB_STEP_SUMMARY"
  if [ "$(wc -m <"$table")" -gt 60000 ]; then # a comment holds 65,536 characters
    echo "cudnnlint found more than a comment can hold: see the page of the job." >"$table"
  fi
  echo "comment=$table" >>"$GITHUB_OUTPUT"
fi
exit 0

#!/usr/bin/env bash
# Sets the output `trusted` if the code of this job is of this repository. A pull request from a fork has no access to secrets, and
# one from a fork that was deleted names no repository. Jobs of Dependabot have access to its own secrets alone. Events such as
# pull_request_target would run code of a fork with secrets.
set -euo pipefail
case "$GITHUB_EVENT_NAME" in
  push | merge_group | schedule | workflow_dispatch) trusted=true ;;
  pull_request) if [ "$HEAD" = "$GITHUB_REPOSITORY" ]; then trusted=true; else trusted=false; fi ;;
  *) trusted=false ;;
esac
if [ "$trusted" = true ] && [ "${GITHUB_ACTOR:-}" = "dependabot[bot]" ] && [ -z "${MONITORING_API_KEY:-}" ]; then
  echo "::notice::Nothing was done: this job of Dependabot has no MONITORING_API_KEY. Set it among Dependabot's secrets."
elif [ "$trusted" = true ]; then
  echo "trusted=true" >> "$GITHUB_OUTPUT"
elif [ "$GITHUB_EVENT_NAME" = pull_request ]; then
  echo "::notice::Nothing was done: a pull request from a fork (${HEAD:-deleted}) has no access to secrets."
else
  echo "::warning::Nothing was done: the event $GITHUB_EVENT_NAME may run code of a fork. Use pull_request, push, merge_group, schedule or workflow_dispatch."
fi

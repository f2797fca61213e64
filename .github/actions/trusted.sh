# Sets the output `trusted` if the code of this job is of this repository. A pull request from a fork has no access to secrets, and
# one from a fork that was deleted names no repository. Events such as pull_request_target would run its code with secrets.
set -euo pipefail
case "$GITHUB_EVENT_NAME" in
  push | merge_group | schedule | workflow_dispatch) trusted=true ;;
  pull_request) if [ "$HEAD" = "$GITHUB_REPOSITORY" ]; then trusted=true; else trusted=false; fi ;;
  *) trusted=false ;;
esac
if [ "$trusted" = true ]; then
  echo "trusted=true" >> "$GITHUB_OUTPUT"
elif [ "$GITHUB_EVENT_NAME" = pull_request ]; then
  echo "::notice::Nothing was done: a pull request from a fork (${HEAD:-deleted}) has no access to secrets."
else
  echo "::warning::Nothing was done: the event $GITHUB_EVENT_NAME may run code of a fork. Use pull_request, push, merge_group, schedule or workflow_dispatch."
fi

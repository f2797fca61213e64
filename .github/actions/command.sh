#!/usr/bin/env bash
# Sets the output `path` to the command `monitoring`: that of the project in this folder or, where it has none, one that is installed.
set -euo pipefail
folder="$PWD"
until [ -e "$folder/node_modules/pulumi-monitoring-service" ] || [ "$folder" = "$GITHUB_WORKSPACE" ] || [ "$folder" = / ]; do
  folder="$(dirname "$folder")"
done
if [ ! -e "$folder/node_modules/pulumi-monitoring-service" ]; then
  folder="$RUNNER_TEMP/monitoring"
  mkdir -p "$folder"
  for file in "$PWD/.npmrc" "$GITHUB_WORKSPACE/.npmrc"; do
    if [ -e "$file" ]; then cp "$file" "$folder/.npmrc" && break; fi
  done
  manifest="$GITHUB_ACTION_PATH/../../../package.json"
  version="${VERSION:-$(node --print 'require(process.argv[1]).version' "$manifest")}"
  # The command doesn't need Pulumi's package, which is a peer dependency.
  npm install --prefix "$folder" --ignore-scripts --legacy-peer-deps --no-audit --no-fund "pulumi-monitoring-service@$version"
fi
echo "path=$folder/node_modules/.bin/monitoring" >> "$GITHUB_OUTPUT"

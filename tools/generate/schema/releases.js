/**
 * Where the engine downloads the plugin from. The repository is known in a release, whose workflow adds it to package.json.
 * @param {{url?: string}} [repository] as in package.json
 */
function releasesOf(repository) {
  const [, project] = /github\.com[/:]([^/]+\/[^/]+?)(?:\.git)?$/.exec(repository?.url ?? "") ?? [];
  if (project === undefined) return {};
  return {
    repository: `https://github.com/${project}`,
    pluginDownloadURL: `github://api.github.com/${project}`,
  };
}

module.exports = { releasesOf };

/**
 * Says why an old Node.js is refused. The command line, a program and the plugin each import it first and end in their own way: by
 * an exit code, by an error, and by a notice to the engine. It imports nothing, because an old Node may not load what follows.
 */

/** The oldest supported Node.js. `engines` in package.json repeats it for npm, which only warns. */
const oldestSupported = 20;

/** Returns an error message for an unsupported Node.js version; undefined for a supported one. */
export function nodeProblem(node: string = process.versions.node): string | undefined {
  if (parseInt(node, 10) >= oldestSupported) return undefined;
  return `pulumi-monitoring-service needs Node ${oldestSupported} or newer; this is Node ${node}. Install a newer version from https://nodejs.org`;
}

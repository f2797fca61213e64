/**
 * Rejects unsupported versions of Node.js. The command line, programs and the plugin import this file first, and report the problem with an
 * exit code, an error, and a notice to the engine, respectively. It imports nothing, because an old Node may not load the other files.
 */

/** The oldest supported Node.js. The same version is in `engines` of package.json, but npm only warns. */
const oldestSupported = 20;

/** Returns an error message for an unsupported Node.js version; undefined for a supported one. */
export function checkNodeVersion(node: string = process.versions.node): string | undefined {
  if (parseInt(node, 10) >= oldestSupported) return undefined;
  return `pulumi-monitoring-service needs Node ${oldestSupported} or newer; this is Node ${node}. Install a newer version from https://nodejs.org`;
}

const os = require("node:os");
const path = require("node:path");
const { devDependencies, peerDependencies } = require("../../../package.json");

/** The version that set-up installs: that of the npm package `pulumi`. */
const version = devDependencies.pulumi;

/** The oldest supported engine on PATH: the version of the oldest supported SDK. */
const oldest = peerDependencies["@pulumi/pulumi"].replace("^", "");

/** Pulumi's own folder. @param {NodeJS.ProcessEnv} env */
function pulumiHome(env) {
  return path.resolve(env.PULUMI_HOME || path.join(os.homedir(), ".pulumi"));
}

/**
 * Where Pulumi's own installers keep this version; the Automation API shares it.
 * @param {NodeJS.ProcessEnv} [env]
 */
function cacheFolder(env = process.env) {
  return path.join(pulumiHome(env), "versions", version);
}

/**
 * Whether a version such as 3.259.0 is equal to another or newer.
 * @param {string} one
 * @param {string} other
 */
function isAtLeast(one, other) {
  return one.localeCompare(other, "en", { numeric: true }) >= 0;
}

module.exports = { version, oldest, pulumiHome, cacheFolder, isAtLeast };

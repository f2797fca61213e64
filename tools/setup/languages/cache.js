const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { pulumiHome } = require("../engine/pinned");
const { withLock } = require("../engine/lock");

/** Where the tests of the languages keep what they install. @param {NodeJS.ProcessEnv} [env] */
function languagesFolder(env = process.env) {
  return path.join(pulumiHome(env), "monitoring-languages");
}

/** A short hash of what something is made from. @param {(string | Buffer)[]} parts */
function fingerprint(...parts) {
  const hash = crypto.createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 12);
}

/**
 * Makes a folder once, in one process at a time. An attempt that was interrupted leaves none.
 * @param {string} folder
 * @param {(partial: string) => Promise<void>} make
 */
async function makeFolder(folder, make) {
  if (fs.existsSync(folder)) return;
  await withLock(`${folder}.lock`, async () => {
    if (fs.existsSync(folder)) return;
    const partial = `${folder}.partial`;
    fs.rmSync(partial, { recursive: true, force: true });
    fs.mkdirSync(partial, { recursive: true });
    await make(partial);
    fs.renameSync(partial, folder);
  });
}

module.exports = { fingerprint, languagesFolder, makeFolder };

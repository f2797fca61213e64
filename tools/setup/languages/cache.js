const fs = require("node:fs");
const path = require("node:path");
const { pulumiHome } = require("../engine/pinned");
const { withLock } = require("../lock");

/** Where the tests of the languages keep what they install. @param {NodeJS.ProcessEnv} [env] */
function languagesFolder(env = process.env) {
  return path.join(pulumiHome(env), "monitoring-languages");
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

module.exports = { languagesFolder, makeFolder };

const fs = require("node:fs");
const path = require("node:path");
const { root } = require(".");
const { filesUnder } = require("./files");
const { fingerprint } = require("./steps/stamp");

/** What checks keep from run to run. */
const cache = path.join(root, "node_modules", ".cache", "verify");
/** The pipeline believes nothing that an earlier run has left. */
const isKept = !process.env.CI;

/** @typedef {ReadonlyMap<string, string>} Hashes of the contents of files, by their paths from the root */

/** Folders that git ignores, by their names. */
function ignoredFolders() {
  const lines = fs.readFileSync(path.join(root, ".gitignore"), "utf8").split(/\r?\n/);
  return new Set([".git", ...lines.flatMap((line) => /^\/?([\w.-]+)\/$/.exec(line)?.[1] ?? [])]);
}

/** @param {string} folder @param {ReadonlySet<string>} ignored @returns {string[]} */
function filesIn(folder, ignored) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isFile()) return file;
    // The folder of SDKs that is ignored is that of the root.
    const isMade = ignored.has(entry.name) && (entry.name !== "sdks" || folder === root);
    return entry.isDirectory() && !isMade ? filesIn(file, ignored) : [];
  });
}

/** All files of the repository, and the types that the build makes of them. @returns {Hashes} */
function hashesOfFiles() {
  const files = [...filesIn(root, ignoredFolders()), ...filesUnder(path.join(root, "dist", "types"))];
  return new Map(
    files
      .sort()
      .map((file) => [path.relative(root, file).replaceAll("\\", "/"), fingerprint(fs.readFileSync(file))]),
  );
}

/** What all checks depend on: the installed packages, Node, and how the checks are run. @param {Hashes} hashes */
function commonTo(hashes) {
  const installed = fs.readFileSync(path.join(root, "node_modules", ".package-lock.json"));
  const checks = [...hashes]
    .filter(([file]) => /^tools\/(verify\/|setup\/(passed|reads)\.js)/.test(file))
    .flat();
  return fingerprint(process.version, process.platform, installed, ...checks);
}

/** What has passed before, so that it is not repeated with the same files. */
class Passed {
  hashes = hashesOfFiles();
  /** @type {((after: Hashes) => void)[]} */
  #atEnd = [];

  /**
   * Runs a check unless it has passed before with the same files.
   * @param {string} name
   * @param {(file: string) => boolean} reads whether the check depends on the content of a file; it may on the names of all
   * @param {() => Promise<boolean | void>} check throws if it fails, or returns false
   * @returns {Promise<boolean>} whether it was run
   */
  async orRun(name, reads, check) {
    const key = keyOf(this.hashes, reads);
    const stamp = path.join(cache, `${name}.passed`);
    if (isKept && fs.existsSync(stamp) && fs.readFileSync(stamp, "utf8") === key) return false;
    fs.rmSync(stamp, { force: true });
    if ((await check()) === false) return true;
    this.atEnd((after) => {
      if (keyOf(after, reads) === key) fs.writeFileSync(stamp, key);
    });
    return true;
  }

  /** For what is written at the end: only of files that didn't change meanwhile. @param {(after: Hashes) => void} write */
  atEnd(write) {
    this.#atEnd.push(write);
  }

  /** Keeps what has passed. */
  end() {
    const after = hashesOfFiles();
    fs.mkdirSync(cache, { recursive: true });
    for (const write of this.#atEnd) write(after);
  }
}

/** @param {Hashes} hashes @param {(file: string) => boolean} reads */
function keyOf(hashes, reads) {
  const contents = [...hashes].flatMap(([file, hash]) => (reads(file) ? [file, hash] : file));
  return fingerprint(commonTo(hashes), ...contents);
}

module.exports = { Passed, cache, commonTo, isKept };

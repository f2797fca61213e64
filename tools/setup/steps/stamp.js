const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

/** A short hash of what something is made from. @param {(string | Buffer)[]} parts */
function fingerprint(...parts) {
  const hash = crypto.createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 12);
}

/**
 * A step of the set-up whose result stays current until a file that it is made from changes.
 * @param {string} stamp the file that says what the result was made from
 * @param {(root: string) => string[]} inputsOf the files that it is made from
 * @param {(root: string) => Promise<void>} make
 * @param {(root: string) => boolean} [isWhole] whether the result is as it was made
 */
function stamped(stamp, inputsOf, make, isWhole = () => true) {
  /** @param {string} root */
  const madeFrom = (root) =>
    fingerprint(...inputsOf(root).flatMap((file) => [path.relative(root, file), fs.readFileSync(file)]));
  return {
    /** @param {string} root */
    isCurrent(root) {
      const file = path.join(root, stamp);
      return fs.existsSync(file) && fs.readFileSync(file, "utf8") === madeFrom(root) && isWhole(root);
    },
    /** @param {string} root */
    async make(root) {
      const made = madeFrom(root);
      await make(root);
      fs.writeFileSync(path.join(root, stamp), made);
    },
  };
}

module.exports = { fingerprint, stamped };

const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../setup");
const { inTurns } = require("./compare");

const ten = Array.from({ length: 10 }, (_, index) => String(index));
const notice = (/** @type {string} */ text) => {
  throw new Error(text);
};

/**
 * The locks and notes of 100 posts, each of which has its note on disk before it is sent, against 100 files that are written to the disk
 * of this checkout one after the other.
 * @type {import("./compare").Bench}
 */
async function bench({ rounds = 20 }) {
  /** @type {typeof import("../../provider/publishing/lockDirectory")} */
  const { LockDirectory } = require(path.join(root, "dist", "provider", "publishing", "lockDirectory"));
  const folder = fs.mkdtempSync(path.join(root, "node_modules", ".bench-"));
  /** @param {number} round */
  const publish = async (round) => {
    const run = new LockDirectory(path.join(folder, String(round)));
    const publishOn = async (/** @type {string} */ incidentId) => {
      for (const key of ten)
        await run.withLock({ service: { host: "", path: "" }, incidentId }, { notice }, async (notes) => {
          await notes.sending(key, { key, occurrence: 1 });
          notes.learned(key, { id: key });
        });
    };
    await Promise.all(ten.map(publishOn));
  };
  const file = path.join(folder, "plain");
  const write = () => {
    for (let index = 0; index < 100; index++) fs.writeFileSync(file, "text", { flush: true });
  };
  const [one, other] = ["100 posts on ten incidents", "100 synced files"];
  try {
    const measured = await inTurns({ [one]: publish, [other]: write }, rounds, 1);
    return [{ what: "locks and notes", one, other, measured }];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

module.exports = { bench };

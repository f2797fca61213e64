const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../setup");
const { inTurns } = require("./compare");

const place = { service: { host: "127.0.0.1", path: "" }, incidentId: "inc" };
const notice = (/** @type {string} */ text) => {
  throw new Error(text);
};

/**
 * The note of a post, which is on disk before the request is sent, against a file that is written to the disk of this checkout.
 * @type {import("./compare").Bench}
 */
async function bench({ rounds = 200 }) {
  /** @type {typeof import("../../provider/publishing/lockDirectory")} */
  const { LockDirectory } = require(path.join(root, "dist", "provider", "publishing", "lockDirectory"));
  const folder = fs.mkdtempSync(path.join(root, "node_modules", ".bench-"));
  let nonce = 0;
  try {
    const measured = await new LockDirectory(path.join(folder, "locks")).withLock(
      place,
      { notice },
      (notes) =>
        inTurns(
          {
            "note before a post": () => notes.sending(String(nonce++), { key: "key", occurrence: 1 }, []),
            "a synced file": () => fs.writeFileSync(path.join(folder, "plain"), "text", { flush: true }),
          },
          rounds,
        ),
    );
    return [{ what: "one", one: "note before a post", other: "a synced file", measured }];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

module.exports = { bench };

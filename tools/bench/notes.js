const fs = require("node:fs");
const path = require("node:path");
const { root } = require("../setup");
const { atMost, figure, median } = require("./report");

const place = { service: { host: "127.0.0.1", path: "" }, incidentId: "inc" };
const notice = (/** @type {string} */ text) => {
  throw new Error(text);
};

/**
 * The note of a post, which is on disk before the request is sent, against a file that is only written: on the disk of this checkout.
 * @type {import("./report").Bench}
 */
async function bench({ quick }) {
  /** @type {typeof import("../../provider/publishing/lockDirectory")} */
  const { LockDirectory } = require(path.join(root, "dist", "provider", "publishing", "lockDirectory"));
  const folder = fs.mkdtempSync(path.join(root, "node_modules", ".bench-"));
  try {
    const file = path.join(folder, "plain");
    const rounds = Array.from({ length: quick ? 10 : 200 }, (_, index) => String(index));
    const plain = rounds.map((text) => msOf(() => fs.writeFileSync(file, text)));
    const noted = await new LockDirectory(path.join(folder, "locks")).withLock(place, { notice }, (notes) =>
      Promise.resolve(
        rounds.map((nonce) => msOf(() => notes.sending(nonce, { key: "key", occurrence: 1 }, rounds))),
      ),
    );
    return [
      atMost("note before a post", median(noted), "ms", 100),
      figure("a file that is only written", median(plain), "ms"),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** @param {() => void} work */
function msOf(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}

module.exports = { bench };

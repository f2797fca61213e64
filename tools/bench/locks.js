const { randomBytes, randomUUID } = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { atMost, figure, median } = require("./benchFigures");

const dist = path.resolve(__dirname, "..", "..", "dist");
const incidents = 1_000;
const notesOfEach = 200;
const locks = 10_000;
const dayMs = 86_400_000;

/** @param {string} folder @returns {import("../../provider/publishing/lockDirectory").LockDirectory} a run's own */
function directoryIn(folder) {
  const { LockDirectory } = require(path.join(dist, "provider", "publishing", "lockDirectory"));
  return new LockDirectory(folder);
}

/** @param {string} folder @param {number} index of the incident */
function fileOf(folder, index) {
  return directoryIn(folder).fileOf(placeOf(index)) ?? "";
}

/** @param {number} index of the incident */
function placeOf(index) {
  return { service: { host: "bench", path: "" }, incidentId: `${index}` };
}

/**
 * What many runs leave in a lock directory that machines share: a post there, compared with one in an empty directory.
 * @type {import("./benchFigures").Bench}
 */
async function bench({ quick }) {
  const rounds = quick ? 3 : 21;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const empty = path.join(folder, "empty");
  const full = path.join(folder, "full");
  fill(full);
  /** @type {number[][]} */
  const times = [];
  for (let round = 0; round < rounds; round++) {
    times.push([
      await timeOfPost(empty, round),
      await timeOfPost(full, round),
      await timeOfPost(full, incidents + round),
    ]);
  }
  const [inEmpty = NaN, withNotes = NaN, without = NaN] = [0, 1, 2].map((index) =>
    median(times.map((each) => each[index] ?? NaN)),
  );
  const bytes = fs.statSync(fileOf(full, 0)).size;
  const largest = await timeOfLargest(path.join(folder, "largest"));
  const left = await leftAfterADay(full);
  fs.rmSync(folder, { recursive: true });
  return [
    figure("a post in an empty lock directory: lock, notes and clean-up", inEmpty, "ms"),
    atMost(
      `the same beside the notes of ${incidents} incidents and ${locks} locks of killed runs`,
      without,
      "ms",
      250,
    ),
    atMost(`the same for an incident with ${notesOfEach} notes there`, withNotes, "ms", 250),
    figure("size of that incident's file", bytes / 1e6, "MB"),
    atMost("a post to an incident whose file is full", largest.ms, "ms", 500),
    atMost("size of that file", largest.bytes / 1e6, "MB", 1.05),
    atMost("files that are left a day later", left, "count", 1),
  ];
}

/** @param {string} folder */
function fill(folder) {
  fs.mkdirSync(folder, { mode: 0o700 });
  for (let index = 0; index < incidents; index++) {
    const sent = Array.from({ length: notesOfEach }, note);
    fs.writeFileSync(fileOf(folder, index), JSON.stringify({ holder: randomUUID(), sent }));
  }
  const stale = new Date(Date.now() - 60_000);
  for (let index = 0; index < locks; index++) {
    const lock = `${fileOf(folder, 2 * incidents + index)}.lock`;
    fs.mkdirSync(lock);
    fs.utimesSync(lock, stale, stale);
  }
}

function note() {
  const sentAt = Date.now() - 3_600_000;
  const [salt, digest] = [randomBytes(16), randomBytes(32)].map((bytes) => bytes.toString("hex"));
  return {
    ...{ nonce: randomUUID(), incident: "2026-11-20T09:00:00.000Z", salt, digest },
    ...{ occurrence: 1, at: sentAt, endedAt: sentAt + 400, id: randomUUID() },
  };
}

/** One run: its turn, the note of its post, and what it learned. @param {string} folder @param {number} index of the incident */
async function timeOfPost(folder, index) {
  const began = performance.now();
  const notice = (/** @type {string} */ text) => {
    throw new Error(text);
  };
  await directoryIn(folder).withLock(placeOf(index), { notice }, (notes) => {
    notes.ofIncident("2026-11-20T09:00:00.000Z");
    notes.posts(["key"]);
    notes.sending("nonce", { key: "key", occurrence: 1 });
    notes.learned("nonce", { id: "id" });
    return Promise.resolve();
  });
  return performance.now() - began;
}

/** @param {string} folder */
async function timeOfLargest(folder) {
  fs.mkdirSync(folder, { mode: 0o700 });
  const file = fileOf(folder, 0);
  const sent = [];
  for (let bytes = 100; ;) {
    const one = note();
    bytes += JSON.stringify(one).length + 1;
    if (bytes > 1_048_576) break;
    sent.push(one);
  }
  fs.writeFileSync(file, JSON.stringify({ holder: randomUUID(), sent }));
  const ms = await timeOfPost(folder, 0);
  return { ms, bytes: fs.statSync(file).size };
}

/** @param {string} folder */
async function leftAfterADay(folder) {
  const old = new Date(Date.now() - 2 * dayMs);
  for (const name of fs.readdirSync(folder)) fs.utimesSync(path.join(folder, name), old, old);
  await timeOfPost(folder, 0);
  return fs.readdirSync(folder).length;
}

module.exports = { bench };

/** The clock of processes that a test starts: it may be ahead of the time, and their pauses are short. */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

class Clock {
  #file;

  /** @param {string} [folder] in which it keeps the time; default: one of its own, until `remove` */
  constructor(folder = fs.mkdtempSync(path.join(os.tmpdir(), "monitoring-clock-"))) {
    this.#file = path.join(folder, "clock");
    fs.writeFileSync(this.#file, "0");
  }

  /** The environment of a process: it reads the clock when it starts, and adds what it skips. */
  get env() {
    const preload = `--require ${require.resolve("./fasterClock")}`;
    return { NODE_OPTIONS: preload, REPLAY_CLOCK: this.#file };
  }

  /** Lets time pass between two processes. @param {number} ms */
  skip(ms) {
    fs.writeFileSync(this.#file, String(Number(fs.readFileSync(this.#file, "utf8")) + ms));
  }

  remove() {
    fs.rmSync(path.dirname(this.#file), { recursive: true, force: true });
  }
}

exports.Clock = Clock;

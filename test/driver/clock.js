/** A clock for processes that a test starts. It may be ahead of the real time, and pauses of the processes are short. */
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

class Clock {
  #file;

  /** @param {string} [folder] the folder that stores the time. By default, a new folder that `remove` deletes */
  constructor(folder = fs.mkdtempSync(path.join(os.tmpdir(), "monitoring-clock-"))) {
    this.#file = path.join(folder, "clock");
    fs.writeFileSync(this.#file, "0");
  }

  /** The environment of a process that uses the clock. The process reads the clock when it starts, and adds the pauses that it skips. */
  get env() {
    const preload = `--require ${require.resolve("./fasterClock")}`;
    return { NODE_OPTIONS: preload, REPLAY_CLOCK: this.#file };
  }

  /** Advances the clock between two processes. @param {number} ms */
  skip(ms) {
    fs.writeFileSync(this.#file, String(Number(fs.readFileSync(this.#file, "utf8")) + ms));
  }

  remove() {
    fs.rmSync(path.dirname(this.#file), { recursive: true, force: true });
  }
}

exports.Clock = Clock;

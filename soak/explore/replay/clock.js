/** By how much the processes of a replay are ahead of the time: each reads it when it starts, and adds what it skips. */
const fs = require("node:fs");
const path = require("node:path");
const { newMachine } = require("../../../test/driver/machines");

class Clock {
  file = path.join(newMachine(), "clock");

  constructor() {
    fs.mkdirSync(path.dirname(this.file));
    fs.writeFileSync(this.file, "0");
  }

  /** Between two processes. @param {number} ms */
  skip(ms) {
    fs.writeFileSync(this.file, String(Number(fs.readFileSync(this.file, "utf8")) + ms));
  }
}

module.exports = { Clock };

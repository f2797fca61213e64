"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { SetupFailure } = require("../setup/failure");
const { block } = require("./markdown");

/** The programs of `examples/reference`, and their outputs in the tests. */
class Examples {
  /** @param {string} root */
  constructor(root) {
    this.folder = path.join(root, "examples", "reference");
    /** @type {Record<string, Record<string, unknown>>} */
    this.outputs = JSON.parse(fs.readFileSync(path.join(this.folder, "outputs.json"), "utf8"));
  }

  /** @param {string} name of the object, and of its file */
  section(name) {
    const file = path.join(this.folder, `${name}.ts`);
    if (!fs.existsSync(file))
      throw new SetupFailure(`${name} has no example: examples/reference/${name}.ts is missing.`);
    const link = `[examples/reference/${name}.ts](../../examples/reference/${name}.ts)`;
    return [
      "## Example",
      `This is ${link}. The tests run it on the real engine, against the sandbox.`,
      block("ts", fs.readFileSync(file, "utf8")),
      "Its outputs:",
      block("json", JSON.stringify(this.outputs[name], undefined, 2)),
    ];
  }
}

module.exports = { Examples };

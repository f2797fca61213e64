const fs = require("node:fs");
const path = require("node:path");
const { cacheFolder } = require("./pinned");

/**
 * Makes `npx pulumi` run the engine that set-up has found. The npm package `pulumi` only looks in Pulumi's cache, and
 * would download another engine beside the one on PATH.
 * @param {string} root of the clone
 * @param {import("./usable").Engine} engine
 */
function pointNpxAt(root, engine, cache = cacheFolder()) {
  const inCache = engine.bin === path.join(cache, "bin");
  const installer = path.join(root, "node_modules", "pulumi", "run.js");
  const command = path.join(root, "node_modules", ".bin", "pulumi");
  if (process.platform === "win32") {
    const text = inCache ? `@node "${installer}" %*\r\n` : `@"${engine.pulumi}" %*\r\n`;
    if (fs.readFileSync(`${command}.cmd`, "utf8") !== text) fs.writeFileSync(`${command}.cmd`, text);
    return;
  }
  const target = inCache ? path.join("..", "pulumi", "run.js") : engine.pulumi;
  if (fs.readlinkSync(command) === target) return;
  fs.rmSync(command);
  fs.symlinkSync(target, command);
}

module.exports = { pointNpxAt };

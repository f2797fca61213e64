/** A real browser for the pages: the one inside an npm package, or else the Chrome of this machine. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import puppeteer, { type Browser, type LaunchOptions } from "puppeteer-core";

/** CHROME_PATH may name another one. */
export async function launchBrowser(): Promise<Browser> {
  const hasPackage = process.platform === "linux" && process.arch === "x64";
  const executablePath = process.env["CHROME_PATH"] ?? (hasPackage ? await fromPackage() : undefined);
  // The pages are our own, and as root or in a container there is no sandbox to be had.
  const options: LaunchOptions = { args: ["--no-sandbox"], headless: "shell" };
  return puppeteer.launch({ ...options, ...(executablePath ? { executablePath } : { channel: "chrome" }) });
}

const packaged = require.resolve("@sparticuz/chromium");
const cache = resolve(__dirname, "../../node_modules/.cache");

/** Unpacks it once, beside others that do the same: it is there whole or not at all. */
async function fromPackage(): Promise<string> {
  const manifest = readFileSync(resolve(packaged, "../../../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(cache, `chromium-${version}`);
  const browser = join(folder, "chromium");
  if (existsSync(browser)) return browser;
  mkdirSync(cache, { recursive: true });
  const unpacked = mkdtempSync(join(cache, "unpacking-"));
  try {
    // The package unpacks into the folder for temporary files, and nowhere else.
    const env = { ...process.env, TMPDIR: unpacked };
    const unpack = "require(process.argv[1]).executablePath()";
    await promisify(execFile)(process.execPath, ["-e", unpack, packaged], { env });
    renameSync(unpacked, folder);
  } catch (error) {
    if (!existsSync(browser)) throw error;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  return browser;
}

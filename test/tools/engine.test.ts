/** How set-up finds or installs Pulumi's engine. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { type Download, parts, pointNpxAt, prepareEngine, version } from "../../tools/setup/engine";
import { fileOf } from "../../tools/setup/go";
import { withLock } from "../../tools/setup/run";
import { serve } from "../client/services";
import { environment, fakeEngine, fakeProgram, languageHostIn, writeIn } from "./fakePrograms";
import { temporaryFolder } from "../temporaryFolder";

/** `fetch` itself refuses the port of other tests. */
const nobodyListens = "http://127.0.0.1:2";

let folder: string;
let home: string;
let cache: string;
let cachedBin: string;
let onPath: string;
let printed: jest.SpyInstance;

beforeEach(() => {
  printed = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  folder = temporaryFolder();
  home = path.join(folder, "home");
  cache = path.join(home, "versions", version);
  cachedBin = path.join(cache, "bin");
  onPath = path.join(folder, "bin");
});

afterEach(() => jest.restoreAllMocks());

/** The engine that set-up uses when these folders are on PATH. */
const usable = (...folders: string[]) => prepareEngine({ env: environment(home, ...folders) });

describe("the engine on PATH", () => {
  it("is the first that is usable: one that is too old or broken is skipped", async () => {
    const [old, broken] = [path.join(folder, "old"), path.join(folder, "broken")];
    fakeEngine(old, "3.199.9");
    fakeProgram(broken, "pulumi", { version: { stderr: "segmentation fault", exitCode: 139 } });
    const pulumi = fakeEngine(onPath, "3.1000.0");
    expect(await usable(old, broken, onPath)).toEqual({ pulumi, bin: onPath, version: "3.1000.0" });
  });

  it("is never the installer in a node_modules folder, linked or not", async () => {
    const installer = path.join(folder, "node_modules", ".bin");
    const linked = path.join(folder, "linked");
    fs.mkdirSync(linked);
    const file = fakeEngine(installer, "3.300.0");
    fs.symlinkSync(file, path.join(linked, path.basename(file)));
    const pulumi = fakeEngine(cachedBin, version);
    expect(await usable(installer, linked)).toMatchObject({ pulumi });
  });
});

describe("the engine in the cache", () => {
  it("is replaced as a whole when a part of it is missing", async () => {
    fakeEngine(cachedBin, version);
    fs.rmSync(languageHostIn(cachedBin));
    fs.writeFileSync(path.join(cachedBin, "leftover"), "of an interrupted set-up");
    const made = path.join(folder, "made");
    fakeEngine(path.join(made, "bin"), version);
    const installer = installerThat(`
      const { PULUMI_HOME, PULUMI_VERSION } = process.env;
      fs.mkdirSync(path.join(PULUMI_HOME, "versions"), { recursive: true });
      fs.renameSync(${JSON.stringify(made)}, path.join(PULUMI_HOME, "versions", PULUMI_VERSION));`);

    const engine = await prepareEngine({
      env: environment(home),
      download: { site: (await serve((response) => response.end())).url, installer },
    });
    expect(engine.bin).toBe(cachedBin);
    expect(fs.existsSync(languageHostIn(engine.bin))).toBe(true);
    expect(fs.existsSync(path.join(engine.bin, "leftover"))).toBe(false);
    expect(fs.readdirSync(path.dirname(cache))).toEqual([version]);
  });
});

describe("the lock on the cache", () => {
  const lock = () => path.join(folder, "versions", "lock");

  it("runs one action at a time, and says that the others wait", async () => {
    const events: string[] = [];
    const waits = new Promise((resolve) =>
      printed.mockImplementation((line) => {
        resolve(line);
        return true;
      }),
    );
    const others: Promise<number>[] = [];
    await withLock(lock(), async () => {
      events.push("first begins");
      others.push(withLock(lock(), () => Promise.resolve(events.push("second"))));
      await Promise.race([waits, ...others]);
      events.push("first ends");
    });
    await Promise.all(others);

    expect(events).toEqual(["first begins", "first ends", "second"]);
    expect(printed).toHaveBeenCalledTimes(1);
    expect(printed).toHaveBeenCalledWith("Waiting for another set-up to finish.\n");
  });

  it("is taken over when its owner no longer touches it", async () => {
    fs.mkdirSync(lock(), { recursive: true });
    fs.utimesSync(lock(), new Date(0), new Date(0));
    await expect(withLock(lock(), () => Promise.resolve("done"))).resolves.toBe("done");
  });
});

// Both ways must install the same engine.
it("the CLI that is built from source has the pinned version", () => {
  const [{ module }] = parts;
  const requirements = fs.readFileSync(path.join(module, "go.mod"), "utf8");

  expect(requirements).toContain(`github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
  expect(requirements).toContain(`github.com/pulumi/pulumi/sdk/v3 v${version} // indirect\n`);
});

it("a build from source goes on from the parts that it has, and leaves none of them", async () => {
  const env = environment(home);
  const built = parts.map((part) => path.dirname(fileOf(part, env)));
  for (const each of built) fakeEngine(each, version);

  expect(await prepareEngine({ env, download: { site: nobodyListens } })).toMatchObject({
    bin: cachedBin,
    version,
  });
  expect(built.filter((each) => fs.existsSync(each))).toEqual([]);
});

it("says why each way failed, and what to install", async () => {
  const pulumi = fakeEngine(onPath, "3.199.9");
  const python = process.platform === "win32" ? "py" : "python3";
  expect(await failureOf({ site: nobodyListens }, onPath))
    .toBe(`No usable Pulumi engine was found, and none could be installed:
  - pulumi on PATH: ${pulumi} is 3.199.9, older than 3.200.0
  - Pulumi's cache: no ${path.basename(pulumi)} in ${cachedBin}
  - the official download: ${nobodyListens} can't be reached (ECONNREFUSED)
  - a build from source: no working Go on PATH; ${python}: not found; python: not found
Any one of these helps:
  - Pulumi 3.200.0 or newer on PATH: https://www.pulumi.com/docs/install
  - Go 1.25.11 or newer on PATH, to build Pulumi 3.259.0 from source: https://go.dev/dl
  - Python 3 with pip, which installs such a Go by itself: https://www.python.org/downloads
Then run the same command again: it resumes where it stopped.`);
});

it("npx runs the engine on PATH when set-up uses that one, and the installer otherwise", () => {
  const bin = path.join(folder, "node_modules", ".bin");
  const installer = path.join(folder, "node_modules", "pulumi", "run.js");
  writeIn(folder, "node_modules/pulumi/run.js", '#!/usr/bin/env node\nconsole.log("the installer");\n');
  fs.chmodSync(installer, 0o755);
  fs.mkdirSync(bin);
  if (process.platform === "win32")
    fs.writeFileSync(path.join(bin, "pulumi.cmd"), `@node "${installer}" %*\r\n`);
  else fs.symlinkSync(path.join("..", "pulumi", "run.js"), path.join(bin, "pulumi"));
  const npxPulumiVersion = (): string => {
    const env = environment(folder, path.dirname(process.execPath), "/usr/bin", "/bin");
    const options = { cwd: folder, env, encoding: "utf8", shell: true } as const;
    const { stdout, stderr } = spawnSync("npx", ["--no-install", "pulumi", "version"], options);
    return stdout.trim() || stderr;
  };

  pointNpxAt(folder, { pulumi: fakeEngine(onPath, "3.300.0"), bin: onPath, version: "3.300.0" }, cache);
  expect(npxPulumiVersion()).toBe("v3.300.0");
  pointNpxAt(folder, { pulumi: fakeEngine(cachedBin, version), bin: cachedBin, version }, cache);
  expect(npxPulumiVersion()).toBe("the installer");
});

/** The error when there is no engine and none can be installed. */
async function failureOf(download: Download, ...folders: string[]): Promise<string> {
  const attempt = prepareEngine({ env: environment(home, ...folders), download });
  return attempt.then(
    ({ pulumi }) => `no failure: it found ${pulumi}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Replaces the npm package `pulumi`. */
function installerThat(does: string): string {
  const file = path.join(folder, "installer.js");
  fs.writeFileSync(file, `const fs = require("node:fs"); const path = require("node:path"); ${does}`);
  return file;
}

require("../setup/nodeVersion");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { filesUnder, prepareBuild, root } = require("../setup");
const { fingerprint } = require("../setup/go");
const { command, handOver } = require("../setup/run");
const { name: ownName } = require("../../package.json");

/** What decides for other files, in whatever folder. */
const settings = /(^|\/)(\.oxlintrc|package|tsconfig[^/]*)\.json$/;
/** Names the versions of oxlint, and of all types of packages. */
const lock = "node_modules/.package-lock.json";

/** The keys of files that had no finding. The pipeline doesn't use it. */
const record = path.join(root, "node_modules", ".cache", "linted.json");

/** `npm run verify:lint`: runs oxlint on each file that has changed, or of which a type has changed, since it had no finding. */
async function lint() {
  // The declarations have to be those of the sources.
  await prepareBuild();
  const linted = new Set(process.env.CI || !fs.existsSync(record) ? [] : JSON.parse(read(record)));
  const keys = keysOf(allFiles());
  const left = [...keys].flatMap(([file, key]) => (linted.has(key) ? [] : file));
  if (left.length === 0) return 0;
  const oxlint = path.resolve(require.resolve("oxlint/package.json"), "..", "bin", "oxlint");
  // Windows has no room for the names of all on a command line.
  const files = left.length > 200 ? [] : left;
  const code = await handOver(process.execPath, [oxlint, "--no-error-on-unmatched-pattern", ...files], {
    cwd: root,
    // Its part in Go collects garbage less often, and ends in three quarters of the time.
    env: { GOGC: "400", ...process.env },
  });
  fs.mkdirSync(path.dirname(record), { recursive: true });
  if (code === 0) fs.writeFileSync(record, JSON.stringify([...keys.values()]));
  return code;
}

/**
 * Names all that oxlint reads for a file: settings, its text, and what it imports. Of that, and of what that imports, the declarations
 * which the build has made of a source count, else the text. A new cycle of imports goes through the file that closes it.
 * @param {readonly string[]} files
 * @param {(file: string) => string} textOf
 * @returns {Map<string, string>} by source file
 */
function keysOf(files, textOf = read) {
  const texts = new Map(
    files.filter((file) => /\.([cm]?[jt]s|json)$/.test(file)).map((file) => [file, textOf(file)]),
  );
  const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text, texts)]));
  const faces = new Map([...texts].map(([file, text]) => [file, fingerprint(declarationsOf(file) ?? text)]));
  faces.set(ownName, fingerprint(...filesUnder(path.join(root, "dist", "types")).map(read)));
  // What they declare is there for every file.
  const ambient = [...texts.values()].filter((text) => /^declare (global|module)/m.test(text));
  const set = [...texts].filter(([file]) => settings.test(file)).flat();
  const common = fingerprint(textOf(lock), ...set, ...ambient);
  const keyOf = (/** @type {string} */ file, /** @type {string} */ text) => {
    const reached = new Set(imports.get(file));
    for (const each of reached) for (const other of imports.get(each) ?? []) reached.add(other);
    return fingerprint(common, file, text, ...[...reached].sort().map((each) => faces.get(each) ?? ""));
  };
  const sources = [...texts].filter(([file]) => !file.endsWith(".json"));
  return new Map(sources.map(([file, text]) => [file, keyOf(file, text)]));
}

/** The files of this repository that git doesn't ignore, by their paths from the root. */
function allFiles() {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const names = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  return names.filter((name) => name !== "" && fs.existsSync(path.join(root, name)));
}

/** The files that a text names, whatever for. @param {string} file @param {string} text @param {ReadonlyMap<string, string>} files */
function importsOf(file, text, files) {
  const relative = [...text.matchAll(/["'`](\.{1,2}(\/[^"'`\n]*)?)["'`]/g)].flatMap(([, name = ""]) => {
    const target = path.posix.join(path.posix.dirname(file), name);
    return ["", ".ts", ".js", ".d.ts", "/index.ts", "/index.js"].map((end) =>
      path.posix.normalize(target + end),
    );
  });
  const found = relative.filter((each) => files.has(each));
  return text.includes(`"${ownName}`) ? [...found, ownName] : found;
}

/** @param {string} file */
function declarationsOf(file) {
  const built = path.join("dist", ".declarations", file.replace(/ts$/, "d.ts"));
  return file.endsWith(".ts") && fs.existsSync(path.join(root, built)) ? read(built) : undefined;
}

/** @param {string} file */
function read(file) {
  return fs.readFileSync(path.resolve(root, file), "utf8");
}

module.exports = { keysOf };

if (require.main === module) command(lint);

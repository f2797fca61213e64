/** `npm run changelog`, run in a small copy of the clone. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./fakePrograms";

const clone = path.resolve(__dirname, "../..");

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  fs.cpSync(path.join(clone, "scripts"), path.join(root, "scripts"), { recursive: true });
  const { engines, devDependencies, peerDependencies } = JSON.parse(
    fs.readFileSync(path.join(clone, "package.json"), "utf8"),
  ) as Record<string, object>;
  write("package.json", { name: "p", version: "0.1.0", engines, devDependencies, peerDependencies });
  write("package-lock.json", { name: "p", version: "0.1.0", packages: { "": { version: "0.1.0" } } });
  write("examples/one/package.json", { dependencies: { other: "^3.0.0", p: "^0.1.0" } });
  write("CHANGELOG.md", "# Changelog\n\nHow to read it.\n\n## 0.1.0 (2026-11-20)\n\n### New\n\n- All.\n");
  write("changes/README.md", "# Changes\n");
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

it("tells all changes, worst first, above what was told before, and takes them out of changes/", () => {
  write("changes/watch.minor.md", "Watch pages.\nAll of them.\n");
  write("changes/typo.patch.md", "A word is right.\n");
  write("changes/words.major.md", "Words are refused.\n");

  expect(changelog()).toMatchObject({ status: 0, stderr: "" });
  expect(read("CHANGELOG.md").replace(/(?<=0\.2\.0 )\(\d{4}-\d\d-\d\d\)/, "(today)")).toBe(`# Changelog

How to read it.

## 0.2.0 (today)

### Changes that need yours

- Words are refused.

### New

- Watch pages.
  All of them.

### Mended

- A word is right.

## 0.1.0 (2026-11-20)

### New

- All.
`);
  expect(fs.readdirSync(path.join(root, "changes"))).toEqual(["README.md"]);
});

it("writes the version wherever it stands", () => {
  write("changes/watch.minor.md", "Watch pages.");

  expect(changelog().stdout).toContain("push the tag v0.2.0");
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: "0.2.0" });
  expect(JSON.parse(read("package-lock.json"))).toMatchObject({
    version: "0.2.0",
    packages: { "": { version: "0.2.0" } },
  });
  expect(JSON.parse(read("examples/one/package.json"))).toEqual({
    dependencies: { other: "^3.0.0", p: "^0.2.0" },
  });
});

it.each([
  ["0.1.0", "patch", [], "0.1.1"],
  ["0.1.4", "minor", [], "0.2.0"],
  ["0.1.4", "major", [], "0.2.0"],
  ["0.9.3", "patch", ["1.0.0"], "1.0.0"],
  ["1.2.3", "patch", [], "1.2.4"],
  ["1.2.3", "minor", [], "1.3.0"],
  ["1.2.3", "major", [], "2.0.0"],
])("after %s, a change that is %s, with the arguments %j, makes it %s", (before, kind, args, after) => {
  write("package.json", { ...(JSON.parse(read("package.json")) as object), version: before });
  write(`changes/change.${kind}.md`, "It is so.");

  expect(changelog(...args)).toMatchObject({ status: 0 });
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: after });
});

it.each([
  ["nothing has changed", {}, [], "There is nothing to release: changes/ holds no fragment.\n"],
  [
    "a fragment is not called as it should be, or says nothing",
    { "some words.minor.md": "It is.", "a.huge.md": "It is.", "b.patch.md": "\n", "c.patch.md": "It is." },
    [],
    "changes/a.huge.md, changes/b.patch.md, changes/some words.minor.md: a fragment is called like some-words.minor.md, with one of major, minor, patch, and says something.\n",
  ],
  ["the version is none", { "a.patch.md": "It is." }, ["next"], "next is no version such as 1.0.0.\n"],
])("changes nothing when %s", (_, fragments, args, said) => {
  for (const [file, text] of Object.entries(fragments)) write(`changes/${file}`, text);
  const before = read("CHANGELOG.md");

  expect(changelog(...args)).toMatchObject({ status: 1, stderr: said });
  expect(read("CHANGELOG.md")).toBe(before);
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: "0.1.0" });
});

it("holds fragments that it can fold", () => {
  fs.cpSync(path.join(clone, "changes"), path.join(root, "changes"), { recursive: true });
  write("changes/one.patch.md", "There is always one.");

  expect(changelog()).toMatchObject({ status: 0, stderr: "" });
});

function changelog(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ["scripts/changelog.js", ...args], { cwd: root, encoding: "utf8" });
}

function write(file: string, content: string | object): void {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8");
}

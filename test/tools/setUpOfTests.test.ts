/** `npm test` builds nothing for the tests of some folders: they must not use what is built. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { filesUnder } from "../../tools/setup/files";

const root = path.resolve(__dirname, "../..");
const script = readFileSync(path.join(root, "tools/test/index.js"), "utf8");
const [list = ""] = /const folders = \[[^\]]*/.exec(script) ?? [];
const folders = [...list.matchAll(/"(\w+)"/g)].flatMap(([, name]) => name ?? []);

/** The files of a folder, and those that they import, but for the sources and for the tools. */
function filesOf(folder: string): Set<string> {
  const found = new Set(filesUnder(path.join(root, "test", folder)).filter((file) => /\.[jt]s$/.test(file)));
  for (const file of found) {
    const text = readFileSync(file, "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|require\(|import\() ?"(\.[^"]*)"/g)) {
      const target = path.join(path.dirname(file), name);
      const candidates = [target, `${target}.ts`, `${target}.js`, path.join(target, "index.js")];
      const imported = candidates.find((each) => /\.[jt]s$/.test(each) && existsSync(each));
      if (imported && /^(test|tools.soak)/.test(path.relative(root, imported))) found.add(imported);
    }
  }
  return found;
}

it.each(folders)("test/%s uses the sources alone", (folder) => {
  const files = [...filesOf(folder)];
  expect(files).not.toEqual([]);
  const usesMore = /\bdist\b|child_process|prepare(Build|Engine)|createStack/;
  expect(files.filter((file) => usesMore.test(readFileSync(file, "utf8")))).toEqual([]);
});

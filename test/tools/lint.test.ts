/** What `npm run verify` lints again. */
import { keysOf } from "../../tools/verify/lint";

it.each([
  ["its text", "tools/a.js"],
  ["what it imports", "tools/b.js"],
  ["settings of oxlint for all", ".oxlintrc.json"],
  ["settings of oxlint for a folder", "tools/.oxlintrc.json"],
  ["settings of TypeScript for all", "tsconfig.json"],
  ["settings of TypeScript for a folder", "examples/quickstart/tsconfig.json"],
  ["the manifest of a folder", "examples/quickstart/package.json"],
  ["a version of a package", "node_modules/.package-lock.json"],
])("a file is linted again after a change of %s", (_, changed) => {
  const texts = new Map([
    ["tools/a.js", 'require("./b");'],
    ["tools/b.js", ""],
  ]);
  const key = () => keysOf([...texts.keys()], (file) => texts.get(file) ?? "").get("tools/a.js");
  const before = key();
  texts.set(changed, `${texts.get(changed) ?? ""} `);
  expect(key()).not.toBe(before);
});

it("a file isn't linted again after a change of another one", () => {
  const key = (other: string) =>
    keysOf(["tools/a.js", "tools/b.js"], (file) => (file === "tools/b.js" ? other : "")).get("tools/a.js");
  expect(key("1")).toBe(key("2"));
});

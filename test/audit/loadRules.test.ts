/** Rule files that are modules. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadRules } from "../../audit/sources/loadRules";

const folder = mkdtempSync(join(tmpdir(), "rules-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function load(module: string) {
  const file = join(folder, `rules-${(count += 1)}.cjs`);
  writeFileSync(file, module);
  return loadRules(file);
}

test.each([
  "module.exports = { rules: { stale: 'error' } }",
  "exports.default = { rules: { stale: 'error' } }",
])("may export the rules as %s", (module) => {
  expect(load(module).rules.map(({ id }) => id)).toContain("stale");
});

test.each(["null", "7", "'rules'", "undefined", "{ default: null }"])(
  "that export %s are told what to export",
  (exported) => {
    expect(() => load(`module.exports = ${exported}`)).toThrow(/rules-\d+\.cjs: .*must be/);
  },
);

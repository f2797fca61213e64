/** Rule files that are modules. */
import { loadRules } from "../../audit/sources/loadRules";
import { fileWith } from "../cli/auditing";

const load = (module: string) => loadRules(fileWith(module, "rules.cjs"));

test.each([
  "module.exports = { rules: { stale: 'error' } }",
  "exports.default = { rules: { stale: 'error' } }",
])("may export the rules as %s", (module) => {
  expect(load(module).rules.map(({ id }) => id)).toContain("stale");
});

test.each(["null", "7", "'rules'", "undefined", "{ default: null }"])(
  "that export %s are told what to export",
  (exported) => {
    expect(() => load(`module.exports = ${exported}`)).toThrow(/rules\.cjs: .*must be/);
  },
);

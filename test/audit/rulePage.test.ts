import { builtInRules, formats } from "../../audit";
import { metaRulePage, rulePage } from "../../audit/rulePage";
import { audit, channel } from "./channels";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

test.each([
  "git+https://git.acme.example/ops/monitoring.git",
  "https://git.acme.example/ops/monitoring.git",
  "https://git.acme.example/ops/monitoring",
])("a released package links to its version in the repository %s", (url) => {
  const release = { version: "1.2.3", repository: { url } };
  const folder = "https://git.acme.example/ops/monitoring/blob/v1.2.3/docs/reference";
  expect(rulePage("send-failure", release)).toBe(`${folder}/rules/send-failure.md`);
  expect(metaRulePage(release)).toBe(`${folder}/README.md`);
});

test("a package of an unknown repository links to no page that it doesn't contain", () => {
  const release = { version: "1.2.3", repository: { url: "git@git.acme.example:ops/monitoring.git" } };
  expect(rulePage("no-such-rule", release)).toBeUndefined();
});

test.each(builtInRules)("$id has a page", ({ id }) => {
  expect(existsSync(fileURLToPath(rulePage(id) ?? ""))).toBe(true);
});

test("findings of custom rules have no page", () => {
  const customRules = [{ id: "no-mail", title: "No mail", expect: { type: { not: "EMAIL" } } }];
  const report = audit([channel()], { customRules });
  expect(report.findings).toMatchObject([{ rule: "no-mail", docs: undefined }]);
  expect(formats.markdown(report)).toContain("`no-mail`<br>");
});

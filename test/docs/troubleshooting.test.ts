/** Every message that the troubleshooting guide quotes has the words of the code, so that a search for them finds its heading. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../engine/stack";
import { Page } from "./markdown";

/** What a quote has in the place of a value, or where the code puts two texts together. */
const values =
  /"[^"…]*"|\(HTTP \d+\)|\([A-Z_]+\)|\b\d+\b|MONITORING_\w+|monitoring:\w+|\b(?:sendFailure|readOnly|true|false)\b|: |, but |`/g;

const inOneLine = (text: string): string =>
  text
    .replace(/\\(["`'])/g, "$1")
    .replace(/["'`] \+\s+["'`]/g, "")
    .replace(/\s+/g, " ");

/** The sources, and the snapshots of what the tests of their modules print. */
const said = ["provider", "sdk", "cli", "audit", "plugin", "test"]
  .flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(folder === "test" ? ".snap" : ".ts"))
      .map((name) => inOneLine(readFileSync(join(repository, folder, name), "utf8"))),
  )
  .join("\n");

const quoted = [
  ...new Page("docs/guides/troubleshooting.md").text.matchAll(/^### ([^\n]*)\n+```text\n(.*?)```/gms),
].map(([, heading = "", message = ""]): [string, string] => [heading, inOneLine(message)]);

it.each(quoted)("the page on troubleshooting quotes what the code says: %s", (_, message) => {
  const parts = message
    .replace(values, "…")
    .split("…")
    .map((part) => part.replace(/^[\s:.,()/?]+|[\s:.,(]+$/g, ""))
    .filter((part) => part.includes(" "));
  expect(parts.filter((part) => !said.includes(part))).toEqual([]);
  expect(parts.length).toBeGreaterThan(0);
});

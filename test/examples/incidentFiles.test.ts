/** Tests how the example incident-files reads files of editors and status tools. readmes.test.ts tests its posts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTimelines } from "../../examples/incident-files/files";
import { temporaryFolder } from "../temporaryFolder";

/** Reads a folder of incidents with these files. */
function read(files: Readonly<Record<string, string | Buffer>>) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "inc"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { timelines, mistakes, notes } = readTimelines(folder);
  const said = [...mistakes, ...notes].map((each) => each.replace(`${folder}/`, ""));
  return { updates: timelines.flatMap(({ updates }) => updates), said };
}

const usual = { key: "1-a", status: "RESOLVED", description: "All good.", notifySubscribers: false };
const file = (head: string) => `---\n${head}\n---\nAll good.`;

const dated = (date: string) => file(`status: RESOLVED\ndate: ${date}`);

test.each<[string, string, object?]>([
  ["a byte order mark", `\ufeff${file("status: RESOLVED")}`],
  ["an empty first line", `\r\n \n${file("status: RESOLVED")}`],
  ["line breaks of Windows", file("status: RESOLVED").replaceAll("\n", "\r\n")],
  ["blanks after ---", file("status: RESOLVED").replaceAll("---", "--- \t")],
  ["a status in lower case", file("status: resolved")],
  ["fields in any case", file("Status: Resolved\nNOTIFY: true"), { notifySubscribers: true }],
  ["notify", file("status: RESOLVED\nnotify: true"), { notifySubscribers: true }],
])("the example incident-files reads %s", (_, content, differs = {}) => {
  expect(read({ "inc/1-a.md": content })).toEqual({ updates: [{ ...usual, ...differs }], said: [] });
});

test.each([
  ["2026-11-24 10:00 UTC", "2026-11-24T10:00:00Z"],
  ["2026-11-24 10:00:30 +0100", "2026-11-24T10:00:30+01:00"],
  ["2026-11-24T10:00:00.123Z", "2026-11-24T10:00:00.123Z"],
])("the example incident-files reads the date %s", (date, publicIncidentUpdateDate) => {
  expect(read({ "inc/1-a.md": dated(date) }).updates).toEqual([{ ...usual, publicIncidentUpdateDate }]);
});

test("the example incident-files skips files that aren't updates, and sorts by number", () => {
  const others = { "inc/.gitkeep": "", "inc/README.md": "x", ".DS_Store": "x", "readme.md": "x" };
  const { updates, said } = read({
    ...others,
    "inc/10-b.md": file("status: RESOLVED"),
    "inc/9-a.md": file("status: IDENTIFIED"),
  });
  expect(updates.map(({ status }) => status)).toEqual(["IDENTIFIED", "RESOLVED"]);
  expect(said).toEqual([]);
});

test("the example incident-files ignores the fields of status tools with a message, and posts no draft", () => {
  const head = "status: RESOLVED\ntitle: Down\nseverity: high\naffected: [API]\nsection: issue\npin: true";
  const { updates, said } = read({
    "inc/1-a.md": file(`${head}\ninformational: false\ndraft: false`),
    "inc/2-b.md": "---\ndraft: true\n---\n",
  });
  expect(updates).toEqual([usual]);
  expect(said).toEqual([
    "inc/1-a.md: title, severity, affected, section, pin, informational, draft ignored",
    "inc/2-b.md: a draft, which isn't posted",
  ]);
});

const zone = "write 2026-11-24 10:00 UTC, or its difference, such as 2026-11-24 10:00 +01:00";

test.each<[string | Buffer, mistake: string, name?: string]>([
  [Buffer.from(file("").concat("\xe9"), "latin1"), "1: isn't UTF-8. Save it with this encoding"],
  [file("status: RESOLVED\nStatus: MONITORING"), "3: status is set twice"],
  [file("status: RESOLVED"), "1: its name must be a number, a word and .md, such as 02-fixed.md", "inc/1.md"],
  [file("status: FIXED"), `2: status can't be "FIXED"`],
  [`\n${file("status: RESOLVED\nresolved: true")}`, "4: resolved is none of status, notify, date"],
  [dated("yesterday"), `3: date can't be "yesterday"`],
  [dated("2026-11-24 10:00"), `3: date "2026-11-24 10:00" needs a zone: ${zone}`],
  [dated("2026-11-24 10:00 CET"), `3: date "2026-11-24 10:00 CET" needs a zone: ${zone}`],
  [file("status: RESOLVED"), "1: its name must be a number, a word and .md, such as 02-fixed.md", "inc/a.md"],
  [file("status: RESOLVED"), "1: must be in a folder that has the id of an incident", "1-a.md"],
])("the example incident-files reports the error in %j: %s", (content, mistake, name = "inc/1-a.md") => {
  expect(read({ [name]: content }).said).toEqual([`${name}:${mistake}`]);
});

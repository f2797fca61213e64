/** Texts of others as lines of a log, and in messages: no terminal and no CI system acts on them. */
import { openIncidentsMessage } from "../../provider/lookups/lookupErrors";
import { oneLine, printable, quotation } from "../../provider/texts";
import { fc } from "../propertySeed";

const long = "x".repeat(72);

it.each<[string, string, readonly string[]]>([
  ["its own line ends", "One\r\n\n  two\rthree  ", ["  | One", "  |", "  |   two", "  | three"]],
  ["a line that is too long", `${long} y`, [`  | ${long}`, "  ↳ y"]],
  ["its own line after a line that is too long", `${long} y\n| z`, [`  | ${long}`, "  ↳ y", "  | | z"]],
  ["a word that is too long", `see ${long}y`, ["  | see", `  ↳ ${long}`, "  ↳ y"]],
  ["wide characters", "日".repeat(37), [`  | ${"日".repeat(36)}`, "  ↳ 日"]],
  ["emoji in one piece", `${"x".repeat(71)}👩‍👩‍👧`, [`  | ${"x".repeat(71)}`, "  ↳ 👩‍👩‍👧"]],
  ["joiners of words", "می\u200cخواهم", ["  | می\u200cخواهم"]],
  ["no hidden joiners", "a\u200db", ["  | a\\u{200d}b"]],
  ["terminal sequences", "\u001b[2J\u009b1A\0", ["  | \\u{1b}[2J\\u{9b}1A\\u{0}"]],
  ["what changes the direction", "\u202eabc\u2066", ["  | \\u{202e}abc\\u{2066}"]],
  ["commands of a CI system", "##vso[task]", ["  | # #vso[task]"]],
  ["colours of the engine", "<{%fg 9%}>", ["  | < {%fg 9%}>"]],
  ["an empty text", "", ["  |"]],
])("a quotation shows %s", (_, text, lines) => {
  expect(quotation(text)).toEqual(lines);
});

it("a quotation shows 3,000 characters, and counts the rest", () => {
  expect(textIn(quotation("😀".repeat(3000)))).toBe("😀".repeat(3000));
  expect(quotation(`${"x".repeat(3000)}y`).at(-1)).toBe("  … and 1 more character");
  const lines = quotation("y ".repeat(30_000).trim());
  expect(lines.at(-1)).toBe("  … and 56,999 more characters");
  expect(textIn(lines.slice(0, -1))).toBe("y".repeat(1500));
});

/** The characters of a quotation, without white space and marks. */
const textIn = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^ {2}[|↳]/, "").replaceAll(" ", "")).join("");

it("a quotation leaves nothing out, and marks each line of the text, and what goes on with one", () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "é", "日", "😀", "-"), minLength: 1 }),
    fc.constant(long + long),
  );
  const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 2 }), (lines) => {
      const quoted = quotation(lines.join("\n"));
      expect(textIn(quoted)).toBe(lines.join("").replaceAll(" ", ""));
      const begun = quoted.filter((each) => each.startsWith("  |"));
      expect(begun).toHaveLength(lines.length);
      expect(quoted.filter((each) => !each.startsWith("  ↳ "))).toEqual(begun);
    }),
  );
});

const evil = "x\n::add-mask::prod\n\u001b[2J##vso[task.setvariable variable=A]b \u202e##[group]c";
const harmless = "x ::add-mask::prod [2J# #vso[task.setvariable variable=A]b # #[group]c";

it.each([
  ["plain text stays.", "plain text stays."],
  ["  a\tb\u0085c  ", "a b c"],
  ["<{%fg 9%}>red <{%", "< {%fg 9%}>red < {%"],
  [evil, harmless],
])("one line of %j is %j", (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});

it("line breaks and indentation of a message are kept, and nothing else that a terminal acts on", () => {
  expect(printable("a:\n  b;\n  c\u001b[2J ##[d]")).toBe("a:\n  b;\n  c [2J # #[d]");
});

it("names of incidents and of their status pages can't add a line", () => {
  const incident = { id: "i1", name: evil, statusPages: [{ name: evil }] };
  const incidents = [
    { ...incident, severity: evil },
    { ...incident, componentImpacts: [{ status: evil }] },
  ];
  const shown = `${harmless} "${harmless}" (i1, on ${harmless})`;
  expect(openIncidentsMessage("gate", incidents)).toBe(
    `OpenIncidentGate "gate": 2 open incidents: ${shown}; ${shown}. ` +
      "No resource that depends on the gate was changed. Run again after they are resolved.",
  );
});

/** Text of the service in messages: no terminal and no CI system acts on it. */
import { oneLine, printable } from "../../provider/texts/printable";
import { MonitoringError } from "../../provider/client";
import { PartialFailureError } from "../../provider/engine/partialFailure";
import { openIncidentsMessage } from "../../provider/lookups/openIncidentsMessage";
import { NoMatchError, onlyMatch } from "../../provider/lookups/match";

const evil = "x\n::add-mask::prod\n\u001b[2J##vso[task.setvariable variable=A]b \u202e##[group]c";
const harmless = "x ::add-mask::prod [2J# #vso[task.setvariable variable=A]b # #[group]c";

it.each([
  ["plain text stays.", "plain text stays."],
  ["  a\tb\u0085c  ", "a b c"],
  ["50 ## of 60", "50 ## of 60"],
  ["<{%fg 9%}>red <{%", "< {%fg 9%}>red < {%"],
  [evil, harmless],
])("as one line, %j is %j", (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});

it("keeps line breaks and indentation of a message, and nothing else that a terminal acts on", () => {
  expect(printable("a:\n  b;\n  c\u001b[2J ##[d]")).toBe("a:\n  b;\n  c [2J # #[d]");
});

it("errors are printable, however they are made", () => {
  for (const error of [
    new MonitoringError("no ##vso[x]yes\u001b"),
    new PartialFailureError("no ##vso[x]yes\u001b", { id: "", outputs: {} }),
  ])
    expect(error.message).toBe("no # #vso[x]yes ");
});

it("names of incidents and status pages can't add a line", () => {
  const incident = { id: "i1", name: evil, severity: evil, statusPages: [{ name: evil }] };
  expect(openIncidentsMessage("gate", [incident])).toBe(
    `OpenIncidentGate "gate": 1 open incident: ${harmless} "${harmless}" (i1, on ${harmless}). ` +
      "No resource that depends on the gate was changed. Run again after they are resolved.",
  );
  const find = (): unknown => onlyMatch("p", ["name"], "q", [], [{ id: "p1", name: evil, url: evil }]);
  expect(find).toThrow(NoMatchError);
  expect(find).toThrow(`p "q": not found. Available: ${harmless} (id p1, url ${harmless}).`);
});

/** What a user reads of each notice: the snapshot has every sentence. */
import {
  checkpointsText,
  emailEnabledText,
  noticeText,
  occurrenceText,
  removedText,
  respelledText,
  uncertainText,
  unusedCodesText,
} from "../../../provider/protocol/texts";
import { type Notice } from "../../../provider/protocol";
import { declaration, update } from "../steps";

const since = "2026-01-01T12:00:00.000Z";
const at = Date.parse(since);

it("a notice", () => {
  const adopted = (description: string, more: object = {}): [Notice] => [
    { tell: "adopted", update: { ...update("u", description), ...more } },
  ];
  const cases: Record<string, [Notice]> = {
    adopted: adopted("A", { notifySubscribers: false }),
    "adopted, with other white space": adopted(" A\r\n"),
    "adopted, and edited since": adopted("edited"),
    "adopted, of unknown age": adopted("A", { created_at: null }),
    "adopted, with another flag": adopted("A", { notifySubscribers: true }),
    several: [{ tell: "several", count: 2, id: "u" }],
    found: [{ tell: "found", id: "u" }],
    resent: [{ tell: "resent", at }],
    waits: [{ tell: "waits", ms: 59_001, isLater: false }],
    "waits for a later entry": [{ tell: "waits", ms: 59_001, isLater: true }],
  };
  const texts = Object.entries(cases).map(([what, [notice]]) => [what, noticeText(notice, declaration())]);
  expect(Object.fromEntries(texts)).toMatchSnapshot();
});

it.each([
  ["of the stack", unusedCodesText(["7f3a1c20", "0badcafe"], false)],
  ["of a Provider", unusedCodesText(["7f3a1c20"], true)],
])("codes %s that answered nothing", (_, text) => {
  expect(text).toMatchSnapshot();
});

it("a state that is saved only at the end of a run", () => {
  expect(checkpointsText).toMatchSnapshot();
});

it.each([
  ["of which a value isn't known", uncertainText("i/u", ["status", "description"])],
  ["that is removed", removedText("i/u", false)],
  ["that is removed, unconfirmed", removedText("i/u", true)],
  ["whose email is turned on", emailEnabledText("i/u")],
  ["whose occurrence is changed", occurrenceText("i/u", 2)],
  ["in other white space", respelledText("i/u")],
])("an update %s", (_, text) => {
  expect(text).toMatchSnapshot();
});

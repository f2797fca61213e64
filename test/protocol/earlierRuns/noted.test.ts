/** Posts that other processes noted in the lock directory, and what the user says of them. */
import { codeOfPost } from "../../../provider/protocol/question";
import {
  byId,
  choice,
  type Choice,
  codesOf,
  decided,
  entry,
  note,
  now,
  refusalOf,
  reported,
  update,
} from "../steps";

const date = "2026-01-01T00:00:00Z";
const code = (nonce: string) => codeOfPost({ nonce });
const codes = (...nonces: string[]) => nonces.map(code);

describe("a noted update that is found by its id", () => {
  it.each([
    ["has another date, for the service changed it", { publicIncidentUpdateDate: "2026-02-01T00:00:00Z" }],
    ["has the declared date", { publicIncidentUpdateDate: date }],
    ["has another text, for the service changed it", { publicIncidentUpdateDate: date, description: "A." }],
  ])("%s", (_, shown) => {
    const noted = [note("x", { id: "u", date })];
    const events = [byId("u", { ...update("u"), ...shown }, noted)];
    expect(decided(choice({ declared: { publicIncidentUpdateDate: date }, noted, events }))).toBe("has u");
  });
});

describe("a noted update that isn't found by its id", () => {
  const noted = [reported("x", { id: "u", isReported: false })];
  const events = [byId("u", undefined, noted)];
  it.each<[string, Choice, string]>([
    ["is posted no second time", {}, "refuses: noted"],
    ["is a later entry", { declared: { description: "C", followedBy: [entry("A")] } }, "refuses: noted"],
    ["counts for the next occurrence", { declared: { occurrence: 2 } }, "posts"],
  ])("%s", (_, given, outcome) => {
    expect(decided(choice({ noted, events, ...given }))).toBe(outcome);
  });
});

const later = { followedBy: [entry("B"), entry("C")] };
const three = [
  reported("a", { at: 1 }),
  reported("b", { text: "B", at: 2 }),
  reported("c", { text: "C", at: 3 }),
];

describe("posts about which the user is asked", () => {
  it.each<[string, Choice, nonces: string[], isLater: boolean]>([
    ["an identical one", { noted: three.slice(0, 1) }, ["a"], false],
    ["a later entry before it", { noted: three.slice(0, 2) }, ["b", "a"], true],
    ["later entries before it", { noted: three }, ["b", "c", "a"], true],
    ["two identical ones", { noted: [reported("x"), reported("y")] }, ["x", "y"], false],
    ["an answered one no more", { noted: three, codes: codes("b") }, ["c", "a"], true],
    ["with other content", { noted: [reported("x", { text: "X" }), reported("a")] }, ["a"], false],
    [
      "with another date",
      { declared: { publicIncidentUpdateDate: date }, noted: [reported("x"), reported("a", { date })] },
      ["a"],
      false,
    ],
    [
      "not what was not reported",
      { noted: [reported("x", { isReported: false }), reported("a")] },
      ["a"],
      false,
    ],
    [
      "what was reported before what the service may show late",
      {
        noted: [reported("v", { id: "v" }), reported("a")],
        events: [byId("v", undefined, [reported("v", { id: "v" }), reported("a")])],
      },
      ["v", "a"],
      false,
    ],
    [
      "what the service may show late before a later entry",
      {
        noted: [reported("v", { id: "v" }), reported("b", { text: "B" })],
        events: [byId("v", undefined, [reported("v", { id: "v" }), reported("b", { text: "B" })])],
      },
      ["v", "b"],
      false,
    ],
  ])("%s", (_, given, nonces, isLater) => {
    const asked = refusalOf(choice({ declared: later, ...given }));
    expect(asked).toMatchObject({ why: "noted", isLater });
    expect(asked.why === "noted" && asked.posts.map(({ nonce }) => nonce)).toEqual(nonces);
  });

  it("have a code each", () => {
    expect(codesOf(choice({ declared: later, noted: three }))).toEqual(codes("b", "c", "a"));
  });
});

describe("what the user says of them", () => {
  it.each<[string, Choice, string]>([
    ["all of them", { codes: codes("a", "b", "c") }, "posts"],
    ["all but one", { codes: codes("a", "b") }, "refuses: noted"],
    ["of another post", { codes: codes("x") }, "refuses: noted"],
    [
      "all, and one more was sent since",
      { codes: codes("a", "b", "c"), noted: [...three, reported("d")] },
      "refuses: noted",
    ],
    [
      "all, and one more is live",
      { codes: codes("a", "b", "c"), noted: [...three, note("d")] },
      "waits for 60 s",
    ],
  ])("%s", (_, given, outcome) => {
    expect(decided(choice({ declared: later, noted: three, ...given }))).toBe(outcome);
  });

  it("the codes that are set are printed, too, and each once", () => {
    expect(
      codesOf(choice({ noted: [reported("a"), reported("b")], codes: ["0000aaaa", code("b")] })),
    ).toEqual(["0000aaaa", ...codes("b", "a")]);
  });

  it.each<[string, Choice, used: string[], denied: string[], notices: object[]]>([
    ["nothing", { noted: [reported("x", { isReported: false })] }, [], [], []],
    ["nothing, in another code", { codes: ["0000aaaa"] }, [], [], []],
    [
      "that it isn't public",
      { noted: three.slice(0, 1), codes: codes("a", "x") },
      ["a"],
      ["a"],
      [{ tell: "resent", at: 1 }],
    ],
    ["that a later entry isn't", { noted: three.slice(1, 2), codes: codes("b") }, ["b"], ["b"], []],
    [
      "that both aren't",
      { noted: three.slice(0, 2), codes: codes("b", "a") },
      ["a", "b"],
      ["a", "b"],
      [{ tell: "resent", at: 1 }],
    ],
    [
      "that one with other content isn't",
      { declared: { description: "X" }, noted: three, codes: codes("a") },
      [],
      [],
      [],
    ],
    [
      "that one isn't, which is shown",
      { noted: [reported("a", { id: "x", text: "X" })], shown: [update("x", "X")], codes: codes("a") },
      [],
      [],
      [],
    ],
  ])("permits one post: %s", (_, given, used, denied, notices) => {
    const { command, task } = choice({ declared: later, ...given });
    expect(command).toMatchObject({ do: "post", denied });
    expect(task).toMatchObject({ used: codes(...used), notices });
  });

  it("nothing is used by a refusal", () => {
    const { task } = choice({
      noted: three.slice(0, 1),
      codes: codes("a"),
      declared: { occurrence: 2 },
      at: now,
    });
    expect(task.used).toEqual([]);
  });
});

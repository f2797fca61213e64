/** Edits on bad days, as scenarios: an `up` that ends well is true, and nothing is mailed again. */
import { secret } from "./adapters";
import { keyedStory, outage, type Scenario, createTimeline } from "./expecting";
import { type Step } from "./scenario";
import { words } from "../engine/service";

const edit = "editComponentPageIncidentUpdate";
const create = "createComponentPageIncidentUpdate";
/** An update that an edit corrects. */
const saying = (description: string, more: object = {}) => ({
  ...{ ...words, ...outage, description, notifySubscribers: true, onChange: "edit" },
  ...more,
});
const text = (description: string) => ({ text: description, up: { a: saying(description) } });
const a = text("We see slow payments.");
const b = text("We see failed payments.");
const c = text("Payments are back.");
/** Reads show an edit so late that no run of a scenario sees it. */
const late: Step = {
  faults: [{ kind: "lateVisibility", operation: edit, ms: 600_000 }],
  keepsFaults: true,
};
const lost: Scenario[number] = { faults: [{ kind: "reset", operation: edit }], fails: 1 };
/** However it is called, it is a mark of the engine. */
const withheld = secret(expect.anything());
const killed = (operation: typeof edit | typeof create, up: Step["up"] & object): Scenario[number] => ({
  ...{ faults: [{ kind: "hang", operation, applied: true }], killed: "SIGKILL", fails: 1 },
  up,
});
const theirs = "Payments are back for most.";
const drift = { a: { description: theirs } };
const refusing = (texts: Readonly<Record<string, string>>) =>
  keyedStory(
    Object.fromEntries(
      Object.entries(texts).map(([key, description]) => [key, { description, onChange: "refuse" }]),
    ),
  );

/** The entries of a timeline without keys. */
const storyOnOutage = (name: string, ...texts: string[]) =>
  Object.fromEntries(
    Object.entries(createTimeline(name, outage.incidentId, ...texts)).map(([entry, inputs]) => [
      entry,
      { ...inputs, ...outage, notifySubscribers: true },
    ]),
  );

/** The same text with a date so many minutes after a common one. */
const began = Date.now();
const dated = (minutes: number) =>
  saying(a.text, { publicIncidentUpdateDate: new Date(began + minutes * 60_000).toISOString() });

const posting = (description: string) => saying(description, { onChange: "post" });

export const scenarios: Record<string, Scenario> = {
  "an edit that reads don't show yet is reverted": [
    { up: a.up },
    { ...late, up: b.up, writes: [`PUT ${b.text}`], page: [b.text] },
    { keepsFaults: true, preview: a.up, plans: ["update"], says: ["verifies a public update"] },
    { up: a.up, writes: [`PUT ${a.text}`], page: [a.text] },
  ],
  "drift is adopted by its declaration without a code": [
    { up: a.up },
    { byHand: drift, preview: { a: saying(theirs) }, plans: ["update"], says: ["verifies a public update"] },
    { refresh: true, up: { a: saying(theirs) }, writes: [`PUT ${theirs}`], page: [theirs] },
    { refresh: true, up: { a: saying(theirs) }, writes: [] },
    { up: b.up, writes: [`PUT ${b.text}`], page: [b.text] },
  ],
  "a longer list with names by position keeps all its texts when it shifts": [
    { up: { "update-0": saying(a.text), "update-1": saying(b.text) } },
    {
      up: { "update-0": saying(c.text), "update-1": saying(a.text), "update-2": saying(b.text) },
      ...{ isParallel: true, fails: 3, says: ["name resources by topic"] },
      ...{ writes: [], page: [b.text, a.text] },
    },
  ],
  "a list of fixed length with names by position keeps all its texts when it shifts": [
    { up: { "update-0": saying(a.text), "update-1": saying(b.text) } },
    {
      up: { "update-0": saying(c.text), "update-1": saying(a.text) },
      ...{ isParallel: true, fails: 2, writes: [], page: [b.text, a.text] },
    },
  ],
  "a list with names by position sends no email when it shifts in a chain": [
    { up: { "update-0": saying(a.text) } },
    {
      up: { "update-0": saying(b.text), "update-1": saying(a.text) },
      ...{ fails: 1, says: ["name resources by topic"], writes: [`PUT ${b.text}`] },
    },
    {
      up: { "update-0": saying(b.text), "update-1": saying(a.text) },
      ...{ fails: 1, says: ["had this text until an earlier run edited it"], writes: [] },
    },
    {
      up: { "update-0": saying(b.text), "update-1": saying(a.text, { onChange: "post" }) },
      writes: [`POST ${a.text}`],
    },
  ],
  "the latest entries of a list whose names are positions are rejected in the preview": [
    { up: { "update-0": saying(b.text), "update-1": saying(a.text) } },
    {
      preview: { "update-0": saying(c.text), "update-1": saying(b.text) },
      ...{ fails: 2, says: ["name resources by topic"] },
    },
    {
      up: { "update-0": saying(c.text), "update-1": saying(b.text) },
      ...{ fails: 1, writes: [`PUT ${c.text}`], says: ["had this text until it was edited"] },
    },
    {
      up: { "update-0": saying(c.text), "update-1": saying(b.text) },
      ...{ fails: 1, writes: [], says: ["name resources by topic"] },
    },
    { up: { "update-0": saying(b.text), "update-1": saying(a.text) }, writes: [`PUT ${b.text}`] },
  ],
  "a machine without the notes of a rejected run doesn't post again what that run edited away": [
    { up: { "update-0": saying(a.text) } },
    {
      up: { "update-0": saying(b.text), "update-1": saying(a.text, { onChange: "refuse" }) },
      ...{ fails: 1, writes: [`PUT ${b.text}`] },
    },
    {
      ...{
        isOnNewMachine: true,
        fails: 1,
        writes: [],
        says: ["had this text until an earlier run edited it"],
      },
      up: { "update-0": saying(b.text), "update-1": saying(a.text, { onChange: "refuse" }) },
    },
    { up: { "update-0": saying(a.text) }, writes: [`PUT ${a.text}`], page: [a.text] },
  ],
  "updates with names by position, the same text and other dates are rejected when they shift": [
    { up: { "update-0": dated(1), "update-1": dated(0) } },
    {
      preview: { "update-0": dated(2), "update-1": dated(1) },
      ...{ fails: 2, says: ["name resources by topic"] },
    },
    {
      up: { "update-0": dated(2), "update-1": dated(1) },
      ...{ isParallel: true, fails: 2, says: ["name resources by topic"], writes: [] },
    },
    // A corrected date isn't a shift.
    { up: { "update-0": dated(2), "update-1": dated(0) }, writes: [`PUT ${a.text}`] },
  ],
  "a text is corrected again although the run that corrected it was killed as well": [
    killed(create, a.up),
    killed(edit, b.up),
    { up: c.up, writes: [`PUT ${c.text}`], page: [c.text] },
  ],
  "an update that another resource adopted isn't edited under the name whose run was killed": [
    killed(create, a.up),
    { up: { b: saying(a.text) }, writes: [] },
    {
      up: { a: saying(c.text), b: saying(a.text) },
      ...{ writes: [`POST ${c.text}`], page: [c.text, a.text] },
    },
  ],
  "an edit of a killed run's update doesn't close the incident either": [
    killed(create, keyedStory({ one: a.text })),
    {
      up: keyedStory({ one: { status: "RESOLVED", description: b.text } }),
      ...{ fails: 1, says: ["closes the incident without an email"], writes: [] },
    },
    {
      up: keyedStory({ one: { status: "IDENTIFIED", description: "All carts were lost." } }),
      ...{ fails: 1, says: ["give it a new key"], writes: [] },
    },
    { up: keyedStory({ one: a.text, over: { status: "RESOLVED", description: "It is over." } }) },
    // The incident is already closed.
    {
      up: keyedStory({
        one: { status: "RESOLVED", description: a.text },
        over: { status: "RESOLVED", description: "It is over." },
      }),
      writes: [`PUT ${a.text}`],
    },
  ],
  "the name of a removed update whose run was killed can be used for another update at once": [
    killed(create, { a: saying(a.text, { onChange: "refuse" }) }),
    { up: { a: saying(a.text, { onChange: "refuse" }) }, writes: [] },
    { up: {} },
    { up: { a: saying(c.text, { onChange: "refuse" }) }, writes: [`POST ${c.text}`], page: [c.text, a.text] },
  ],
  "the name of a removed update can be used for another update at once": [
    { up: a.up },
    { up: {} },
    { up: { a: saying(c.text, { onChange: "refuse" }) }, writes: [`POST ${c.text}`], page: [c.text, a.text] },
    { up: {} },
    { up: b.up, writes: [`POST ${b.text}`], page: [b.text, c.text, a.text] },
  ],
  "the second of two identical updates is corrected": [
    { up: { a: saying(a.text), b: saying(a.text, { occurrence: 2 }) } },
    {
      up: { a: saying(a.text), b: saying(b.text, { occurrence: 2 }) },
      ...{ fails: 1, says: ["set `occurrence: 1`"], writes: [] },
    },
    {
      preview: { a: saying(a.text), b: saying(b.text) },
      ...{ plans: ["update"], says: [`| ${b.text}`] },
    },
    { up: { a: saying(a.text), b: saying(b.text) }, writes: [`PUT ${b.text}`], page: [b.text, a.text] },
  ],
  "an edit of a killed run is recognized by the renamed resource": [
    { up: a.up },
    killed(edit, b.up),
    {
      renamed: { a: "b" },
      preview: { b: saying(a.text) },
      fails: 1,
      says: [`was changed on the service to MONITORING: "${b.text}"`],
    },
    { answers: true, up: { b: saying(a.text) }, writes: [`PUT ${a.text}`], page: [a.text] },
    { up: { b: saying(a.text) }, reads: [] },
  ],
  "an update of a killed run isn't posted with a different text if a change is rejected": [
    killed(create, { a: saying(a.text, { onChange: "refuse" }) }),
    {
      preview: { a: saying(b.text, { onChange: "refuse" }) },
      ...{ fails: 1, says: ["description must not change"] },
    },
    {
      up: { a: saying(b.text, { onChange: "refuse" }) },
      ...{ fails: 1, says: ["description must not change"], writes: [], page: [a.text] },
    },
    { up: { a: saying(b.text) }, writes: [`PUT ${b.text}`], page: [b.text] },
  ],
  "line breaks and entities are edited": [
    { up: { a: saying("Affected: - orders - search R&amp;D") } },
    {
      up: { a: saying("Affected:\n- orders\n- search\nR&D") },
      writes: ["PUT Affected:\n- orders\n- search\nR&D"],
    },
  ],
  "the corrected text edits a post that is missing in the state": [
    { up: a.up },
    {
      calls: [
        { verb: "check", name: "a", args: b.up.a, isNew: true },
        { verb: "create", name: "a" },
      ],
      ...{ writes: [`PUT ${b.text}`], page: [b.text] },
    },
  ],
  "a text that was secret stays secret in the state after an edit, even one with an unknown result": [
    { up: { a: saying("", { description: secret(a.text) }) } },
    { ...lost, up: b.up, keeps: { a: { outputs: { published: withheld } } } },
    { up: b.up, keeps: { a: { outputs: { description: b.text } } } },
  ],
  "a colleague's edit of a post without a response is declared, and another resource publishes the original text":
    [
      {
        ...{ up: { a: posting(a.text) }, fails: 1, says: ["The state records the attempt"] },
        faults: [
          { kind: "reset", operation: create, applied: true },
          { kind: "lateVisibility", operation: create, ms: 600_000 },
        ],
      },
      {
        ...{ byHand: { a: { description: theirs } }, up: { a: posting(theirs), b: posting(a.text) } },
        ...{
          says: [/may still appear on incident \S+ until/],
          writes: [`POST ${a.text}`],
          page: [a.text, theirs],
        },
      },
      { up: { a: posting(theirs), b: posting(a.text) }, writes: [] },
    ],
  "a conflict on an old entry reports the later entries that wait": [
    { up: keyedStory({ one: a.text, two: "Two." }) },
    {
      byHand: { "story-one": { description: theirs } },
      up: keyedStory({ one: b.text, two: "Two.", three: "Three." }),
      ...{ fails: 1, says: ["1 later entry is waiting"], writes: [] },
    },
  ],
  "later entries are checked before the first edit": [
    { up: keyedStory({ one: a.text, two: "Two." }) },
    {
      up: keyedStory({ one: b.text, two: "Use postgres://canary:Winter2026x@db.example.com/prod." }),
      ...{ fails: 1, says: ["password in a URL"], writes: [], page: ["Two.", a.text] },
    },
  ],
  "a timeline with keys edits entries, posts at its end, and drops removed entries": [
    { up: keyedStory({ one: a.text, two: "Two." }) },
    {
      up: keyedStory({ one: b.text, two: "Two.", three: "Three." }),
      ...{ writes: [`PUT ${b.text}`, "POST Three."], page: ["Three.", "Two.", b.text] },
    },
    { up: keyedStory({ one: b.text, three: "Three." }), writes: [], says: ["stays public"] },
  ],
  "an inserted entry is rejected": [
    { up: keyedStory({ one: a.text, three: "Three." }) },
    { up: keyedStory({ one: a.text, two: "Two.", three: "Three." }), fails: 1, writes: [] },
    {
      up: keyedStory({ one: a.text, two: "Two.", three: "Drei." }),
      fails: 1,
      writes: [],
      says: ["may be a later entry"],
    },
  ],
  // The docstring of `IncidentTimeline` has this sentence.
  "with keys, a move of public entries changes nothing on the page": [
    { up: keyedStory({ one: a.text, two: "Two.", three: "Three." }) },
    { up: keyedStory({ three: "Three.", one: a.text, two: "Two." }), writes: [] },
  ],
  "an entry with a different key and a different text requires a code": [
    { up: keyedStory({ one: a.text, two: "The writer is replaced, and all is well." }) },
    {
      up: keyedStory({ one: a.text, drei: "The writer was replaced, and all is well." }),
      ...{ fails: 1, says: ["has nearly the same text", "restore its key"], writes: [] },
    },
    {
      answers: true,
      up: keyedStory({ one: a.text, drei: "The writer was replaced, and all is well." }),
      writes: ["POST The writer was replaced, and all is well."],
    },
  ],
  "a text that is corrected while the keys are removed is asked about": [
    { up: keyedStory({ one: a.text, two: "The writer is replaced, and all is well." }) },
    {
      up: storyOnOutage("story", a.text, "The writer was replaced, and all is well."),
      ...{ fails: 1, says: ["has nearly the same text", "restore its key or its text"], writes: [] },
    },
  ],
  "a text that is replaced by news is edited with a warning": [
    { up: a.up },
    { preview: b.up, plans: ["update"], hides: /replaces nearly the whole text/ },
    {
      up: { a: saying("All carts were lost, too.") },
      ...{ says: ["replaces nearly the whole text"], writes: ["PUT All carts were lost, too."] },
    },
  ],
  "a timeline with keys and onChange refuse explains how to edit": [
    { up: refusing({ one: a.text }) },
    {
      up: refusing({ one: b.text }),
      ...{ fails: 1, says: ['restore the value, set onChange to "edit", run `pulumi up`, then correct it'] },
    },
    { up: keyedStory({ one: b.text }), fails: 1, says: ['or sets onChange to "edit"'], writes: [] },
    { up: keyedStory({ one: a.text }), writes: [] },
    { up: keyedStory({ one: b.text }), writes: [`PUT ${b.text}`] },
  ],
  "a timeline with an update that a refresh has found changed can get keys": [
    { up: refusing({ one: a.text, two: "Two." }) },
    {
      byHand: { "story-one": { description: theirs } },
      refresh: true,
      up: refusing({ one: a.text, two: "Two." }),
    },
    { preview: keyedStory({ one: a.text, two: "Two." }), plans: ["update", "update"] },
    { up: keyedStory({ one: a.text, two: "Two." }), writes: [] },
    {
      up: keyedStory({ one: a.text, two: "Two." }),
      fails: 1,
      says: ["was changed on the service"],
      writes: [],
    },
    { answers: true, up: keyedStory({ one: a.text, two: "Two." }), writes: [`PUT ${a.text}`] },
  ],
  "an entry with the former text of a corrected entry must wait for the next run": [
    { up: keyedStory({ one: a.text }) },
    {
      preview: keyedStory({ one: b.text, two: a.text }),
      ...{ fails: 2, says: ["Edit the text in one `pulumi up`"], hides: /onChange "post"/ },
    },
    { up: keyedStory({ one: b.text }), writes: [`PUT ${b.text}`] },
    { up: keyedStory({ one: b.text, two: a.text }), writes: [`POST ${a.text}`] },
  ],
  "a key isn't reused for a new update": [
    { up: keyedStory({ one: a.text }) },
    {
      up: keyedStory({ one: { status: "RESOLVED", description: "It is over." } }),
      ...{ fails: 1, says: ["To publish a new update, give it a new key"], writes: [] },
    },
    {
      up: keyedStory({ one: { status: "RESOLVED", description: b.text } }),
      ...{
        fails: 1,
        says: ["closes the incident without an email", "RESOLVED and its own key at the end"],
        writes: [],
      },
    },
    {
      up: keyedStory({ one: { status: "IDENTIFIED", description: b.text } }),
      writes: [`PUT ${b.text}`],
    },
    { up: { a: saying("It is over.", { status: "RESOLVED" }), ...keyedStory({ one: b.text }) } },
  ],
};

/**
 * Rejected changes. Each message quotes the public content. A user who follows its instructions literally ends with a successful run, and
 * each update is posted and emailed once.
 */
import { type Sandbox, wellKnown } from "../../sandbox";
import { incidentId, words } from "../engine/service";
import { createTimeline, expectRejected, opening, outage, type Scenario } from "./expecting";
import { startService } from "./inProcess";
import type { Step } from "./scenario";

const [cards, components] = [{ incidentId }, outage];
const { searchLag } = wellKnown.statusPageIncidents;
const post = { ...words, notifySubscribers: true };
const [one, two, corrected] = ["Carts are slow.", "The queue was full.", "Carts are slow in Europe."];

interface Walk {
  readonly steps: Scenario;
  /** The texts of the updates that the scenario has added to incidents, sorted. */
  readonly texts: readonly string[];
}

/** Changes an update outside a timeline, and follows the message. */
function walkUpdate(): Walk {
  const say = (description: string) => ({ ...post, ...cards, description });
  return {
    steps: [
      { up: { a: say(one) }, writes: [`POST ${one}`] },
      ...expectRejected(
        { a: say(two) },
        `description must not change, because the update is public (MONITORING: "${one}"). Nothing was posted. Restore the value. For new ` +
          "information, declare a new resource. To correct an error, correct it in the dashboard, declare what the page then shows, and run `pulumi " +
          "up`, which sends nothing. On a page with components, an entry of an IncidentTimeline can also be edited.",
      ),
      { up: { a: say(one) }, writes: [] },
      { up: { a: say(one), b: say(two) }, writes: [`POST ${two}`] },
      { dashboard: { a: { description: corrected } }, up: { a: say(corrected), b: say(two) }, writes: [] },
      { up: { a: say(corrected), b: say(two) }, writes: [], reads: [] },
    ],
    texts: [corrected, two],
  };
}

const correcting =
  "To correct an error, correct it in the dashboard, declare what the page then shows, and run";

/** Changes an entry on a page with cards, and follows the message. */
function walkEntryOnCards(): Walk {
  const story = (texts: Parameters<typeof createTimeline>[1]) => createTimeline("story", texts, cards);
  return {
    steps: [
      { up: story({ "01": one }), writes: [`POST ${one}`] },
      ...expectRejected(
        story({ "01": two }),
        `description must not change, because the update is public (MONITORING: "${one}"). Nothing was posted. Restore the value and the ` +
          `order of the entries, and add new entries at the end of the timeline. ${correcting}`,
      ),
      { up: story({ "01": one, "02": two }), writes: [`POST ${two}`] },
      {
        dashboard: { "story-01": { description: corrected } },
        ...{ up: story({ "01": corrected, "02": two }), writes: [] },
      },
      { up: story({ "01": corrected, "02": two }), writes: [], reads: [] },
    ],
    texts: [corrected, two],
  };
}

const over = { status: "RESOLVED", description: "All carts work again." };
const theirs = "Carts are slow for most.";
const similar = "Carts are slow in Europe today.";

/** Changed, moved and inserted entries on a page with components. */
const entryWalks: Record<string, Walk> = {
  "an entry whose key is used for a new update": {
    steps: [
      { up: createTimeline("story", { cause: one }), writes: [`POST ${one}`] },
      ...expectRejected(
        createTimeline("story", { cause: { status: "IDENTIFIED", description: two } }),
        `the status and most of the text of a public entry (MONITORING: "${one}") changed, so this looks like a new update under an existing ` +
          "key. Nothing was edited. To publish a new update, restore this entry, and give the new update a new key at the end.",
      ),
      { up: createTimeline("story", { cause: one, found: two }), writes: [`POST ${two}`] },
      // The message also explains how to correct the entry.
      {
        up: createTimeline("story", { cause: { status: "IDENTIFIED", description: one }, found: two }),
        writes: [`PUT ${one}`],
      },
      {
        up: createTimeline("story", { cause: { status: "IDENTIFIED", description: corrected }, found: two }),
        writes: [`PUT ${corrected}`],
      },
    ],
    texts: [corrected, two],
  },
  "an entry that would resolve the incident": {
    steps: [
      { up: createTimeline("story", { cause: one }) },
      ...expectRejected(
        createTimeline("story", { cause: { status: "RESOLVED", description: one } }),
        "the edit would set `status` to RESOLVED and close the incident without an email. Nothing was edited. To announce the " +
          `resolution, restore the public status and text (MONITORING: "${one}"), and declare a new entry with status RESOLVED and its own key`,
      ),
      { up: createTimeline("story", { cause: one, over }), writes: [`POST ${over.description}`] },
    ],
    texts: [over.description, one],
  },
  "an entry that a colleague has edited": {
    steps: [
      { up: createTimeline("story", { cause: one, found: two }) },
      {
        dashboard: { "story-cause": { description: theirs } },
        ...{ preview: createTimeline("story", { cause: corrected, found: two }), fails: 1, writes: [] },
      },
      {
        up: createTimeline("story", { cause: corrected, found: two, last: "Last." }),
        ...{ fails: 1, writes: [] },
        says: [
          `was changed on the service to MONITORING: "${theirs}", dated `,
          `Your edit would overwrite that with MONITORING: "${corrected}". Nothing was edited. Declare the public ` +
            "text, and run `pulumi up`. To replace the public text, declare your text after that.",
        ],
      },
      {
        up: createTimeline("story", { cause: theirs, found: two, last: "Last." }),
        page: ["Last.", two, theirs],
      },
      {
        up: createTimeline("story", { cause: corrected, found: two, last: "Last." }),
        writes: [`PUT ${corrected}`],
      },
    ],
    texts: [corrected, "Last.", two],
  },
  "an entry that is inserted": {
    steps: [
      { up: createTimeline("story", { cause: one, found: two }) },
      ...expectRejected(
        createTimeline("story", { cause: one, added: "Inserted.", found: two }),
        "this entry would be posted after a later entry of this timeline",
        "Otherwise, move this entry to the end of the timeline.",
      ),
      {
        up: createTimeline("story", { cause: one, found: two, added: "Inserted." }),
        writes: ["POST Inserted."],
      },
    ],
    texts: [one, "Inserted.", two],
  },
  "an entry with a different key and text": {
    steps: [
      { up: createTimeline("story", { cause: corrected }) },
      ...expectRejected(
        createTimeline("story", { reason: similar }),
        "has nearly the same text, and no resource in this program declares it. Nothing was posted. If it is this entry, restore its key, and " +
          "the change will be an edit.",
      ),
      { up: createTimeline("story", { cause: similar }), writes: [`PUT ${similar}`] },
    ],
    texts: [similar],
  },
  "an entry that is inserted while another key changes": {
    steps: [
      { up: createTimeline("story", { cause: one, found: two }) },
      {
        up: createTimeline("story", { cause: one, added: "Inserted.", located: "It was the queue." }),
        ...{ fails: 1, writes: [] },
        says: [
          `the incident has a newer update that this timeline doesn't declare (MONITORING: "${two}")`,
          "If it is a later entry, move this entry to the end of the timeline.",
        ],
      },
      {
        up: createTimeline("story", { cause: one, found: two, added: "Inserted." }),
        writes: ["POST Inserted."],
      },
    ],
    texts: [one, "Inserted.", two],
  },
  "an entry whose date is before the incident's start": {
    steps: [
      { up: createTimeline("story", { cause: one }) },
      ...expectRejected(
        createTimeline("story", {
          cause: { description: one, publicIncidentUpdateDate: "2020-01-31T09:00:00Z" },
        }),
        "`publicIncidentUpdateDate` is before the start of the incident (",
        "Declare a later date, or omit it.",
      ),
      { up: createTimeline("story", { cause: one }), writes: [] },
    ],
    texts: [one],
  },
  "an entry that was deleted": {
    steps: [
      { up: createTimeline("story", { cause: one }) },
      {
        dashboard: { "story-cause": null },
        ...{ up: createTimeline("story", { cause: corrected }), fails: 1, writes: [] },
        says: [
          "which this run would edit, isn't on the incident. Nothing was edited. The update may still appear",
        ],
      },
      {
        ...{ skips: 150_000, up: createTimeline("story", { cause: corrected }), fails: 1, writes: [] },
        says: ["The update was probably deleted. Restore the earlier values, or remove the declaration."],
      },
      { up: createTimeline("story", { cause: one }), writes: [] },
    ],
    texts: [],
  },
};

const elsewhere = { incidentId: searchLag };
const sayOne = (location: object, more: object = {}) => ({ ...post, ...location, description: one, ...more });
const maintenance = opening("Database upgrade 42");

/** Rejections for reasons other than a changed text. */
const otherWalks: Record<string, Walk> = {
  "the location of an update": {
    steps: [
      { up: { a: sayOne(cards) } },
      ...expectRejected(
        { a: sayOne(elsewhere) },
        `incidentId must not change, because the update is public (MONITORING: "${one}"). Nothing was posted. For another incident or ` +
          "page, give the resource a new name. An identical update there is adopted and not posted again. Otherwise, restore the value.",
      ),
      { up: { a: sayOne(cards), moved: sayOne(elsewhere) }, writes: [`POST ${one}`] },
      {
        up: { again: sayOne(elsewhere), a: sayOne(cards) },
        writes: [],
        says: ["adopted the identical update"],
      },
    ],
    texts: [one, one],
  },
  "an update that is declared twice": {
    steps: [
      { up: { a: sayOne(cards) } },
      {
        ...{ up: { a: sayOne(cards), b: sayOne(cards) }, fails: 1, writes: [] },
        says: [
          '"a" already declares this update (',
          "Nothing was posted. Remove one of the two. To post the same text again, declare both updates as entries of an IncidentTimeline.",
        ],
      },
      { up: createTimeline("story", { first: one, second: one }, cards), writes: [`POST ${one}`] },
    ],
    texts: [one, one],
  },
  "an opened incident": {
    steps: [
      { up: { maintenance } },
      ...expectRejected(
        { maintenance: { ...maintenance, name: "Database upgrade 43" } },
        `name must not change, because the incident "${maintenance.name}" is public (MONITORING: `,
        `For another incident, such as the next maintenance, give the resource a new name. ${correcting}`,
      ),
      { up: { maintenance }, writes: [] },
      {
        up: { maintenance, migration: { ...maintenance, name: "Database upgrade 43" } },
        posts: [{ name: "Database upgrade 43" }],
      },
    ],
    texts: [maintenance.description, maintenance.description],
  },
};

/** Loses the response to a post, declares a different text, and follows the message. */
function walkLostPost(location: object, applied: boolean): Walk {
  const [operation, keepsFaults] = [getCreate(location), true] as const;
  const [a, changed] = [{ a: sayOne(location) }, { a: sayOne(location, { description: two }) }];
  const late: Step["faults"] = applied ? [{ kind: "lateVisibility", operation, ms: 600_000 }] : [];
  const found: Walk = { steps: [{ up: a, writes: [] }], texts: [one] };
  const resent: Walk = {
    steps: [{ skips: 150_000, answers: true, up: changed, writes: [`POST ${two}`] }],
    texts: [two],
  };
  const { steps, texts } = applied ? found : resent;
  return {
    steps: [
      {
        ...{ faults: [{ kind: "reset", operation, applied, times: 1 }, ...late], keepsFaults },
        ...{ up: a, fails: 1 },
      },
      {
        ...{ refresh: true, calls: [], keepsFaults },
        says: [
          /^IncidentUpdate on incident \S+: still unconfirmed\. `pulumi up` searches for the update\.$/m,
        ],
      },
      {
        ...{ up: changed, fails: 1, writes: [] },
        says: [
          `a previous run sent a different update at `,
          `(MONITORING: "${one}") and received no response, and the update isn't on the incident. Nothing was posted.`,
          "Declare the text that was sent and run `pulumi up`, which adopts the update when it is public. If it isn't public, `pulumi up` with " +
            `the resend code posts MONITORING: "${two}".`,
        ],
      },
      ...steps,
    ],
    texts,
  };
}

const getCreate = (location: object) =>
  location === cards ? "createIncidentUpdate" : "createComponentPageIncidentUpdate";

const walks: Record<string, Walk> = {
  "an update on a page with cards": walkUpdate(),
  "an entry on a page with cards": walkEntryOnCards(),
  ...entryWalks,
  ...otherWalks,
  "an update on a page with components, whose response was lost": walkLostPost(components, true),
  "an update on a page with cards, whose request was lost": walkLostPost(cards, false),
};

const { sandbox, play } = startService();

const listUpdates = ({ accounts }: Pick<Sandbox["data"], "accounts">) =>
  accounts.flatMap(({ statusPageIncidents, componentPages }) =>
    [...statusPageIncidents, ...componentPages.flatMap(({ incidents }) => incidents)].flatMap(
      ({ incidentUpdates }) => incidentUpdates,
    ),
  );

it.each(Object.entries(walks))(
  "a user who follows the message of a rejection ends with a successful run: %s",
  async (_, { steps, texts }) => {
    const known = new Set(listUpdates(sandbox().data).map(({ id }) => id));
    await play(steps);
    const added = listUpdates(sandbox().data).filter(({ id }) => !known.has(id));
    expect(added.map(({ description }) => description).sort()).toEqual([...texts].sort());
    expect(added.filter(({ id }) => sandbox().emailsSent(id) === 0)).toEqual([]);
  },
);

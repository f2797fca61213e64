/**
 * Tests updates: the requests, messages and state that result from the protocol's decisions in an `up`, a preview, a refresh and an
 * import. test/protocol and test/explore test the decisions, including those about lost responses and killed runs.
 * test/driver/wire.test.ts tests both adapters.
 */
import { programInput, unknownValue } from "../../provider/engine";
import { lifecycles } from "../../provider/lifecycles";
import { type Sandbox, seedData, wellKnown } from "../../sandbox";
import { createTimeline, outage, saying, type Scenario } from "../driver/expecting";
import { playEach } from "../driver/inProcess";
import { incidentId, words } from "../engine/service";
import { sandboxForEachTest } from "../sandbox/sandboxes";
import { connectTo, createContext } from "./phases";

const { description } = words;
const { cardDeclines } = wellKnown.statusPageIncidents;
const onPage = { ...words, ...outage };
const story = (cause: string | object, later?: string | object) =>
  createTimeline("story", { cause, ...(later !== undefined && { later }) });
const accountsOf = ({ url: baseUrl, apiKey, accountId }: Sandbox) => ({
  "monitoring:accounts": JSON.stringify({ shop: { baseUrl, apiKey, accountId } }),
});
const quoteName = (id: string) =>
  JSON.stringify(seedData().accounts[0].statusPageIncidents.find((each) => each.id === id)?.name);

type Update = ReturnType<Sandbox["incident"]>["incidentUpdates"][number];
const showOutage = (service: Sandbox) => service.incident(outage.incidentId, outage.statusPageId);
const editOutage =
  (changes: Parameters<Sandbox["dashboard"]["editIncident"]>[1]) =>
  ({ dashboard }: Sandbox) =>
    dashboard.editIncident(outage.incidentId, changes, outage.statusPageId);
/** Adds an update to the page with components, as a user does in the dashboard. */
const putOnPage = (update: Partial<Update>) => (service: Sandbox) => {
  const { incidentUpdates } = showOutage(service);
  const added = incidentUpdates
    .slice(0, 1)
    .map((each) => ({ ...each, ...update, id: `by-hand-${update.status}` }));
  editOutage({ incidentUpdates: [...added, ...incidentUpdates] })(service);
};

const dated = { notifySubscribers: true, publicIncidentUpdateDate: "2026-01-31T09:30:00.000Z" };
const content = { status: "MONITORING" as const, description };
const edit = "editComponentPageIncidentUpdate";
const leftover = { status: "MONITORING" as const, description: "Calling [object Object]" };
const laterRejection = ": updates[1].description contains [object Object]";
const answerOnce = (operation: "getStatusPageIncident" | "getIncidentUpdate", body: object) => ({
  ...({ kind: "answer", operation, times: 1 } as const),
  ...{ headers: ["content-type: application/json"], body: JSON.stringify(body) },
});
const importing = (id: string, name = "update") => ({ verb: "import" as const, name, id });
const seeded = seedData().accounts[0].statusPageIncidents.find(({ id }) => id === cardDeclines);
const [newest] = seeded?.incidentUpdates ?? [];
const unreadable =
  ": record can't be read from the state. Nothing was posted. If a different version of pulumi-monitoring-service " +
  "wrote the state, install that version. If the state was edited, restore it with `pulumi stack import`. Otherwise, check the public " +
  "page, then remove the resource from the state with `pulumi state delete`. The next `pulumi up` adopts the update, or posts it if it " +
  "isn't on the incident.";

/** Previews a state with a damaged record. */
const damaged = (damage: object): Scenario[number] => ({
  happens: (_, resources) => {
    for (const resource of resources.values()) resource.outputs = { ...resource.outputs, ...damage };
  },
  ...{ preview: { update: words }, fails: 1, says: [unreadable], reads: [], posts: [] },
});

playEach({
  "a create posts only the declared fields with its own ID, and records them with the published update": [
    {
      up: { update: { ...words, ...dated } },
      posts: [{ ...content, ...dated, id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
      keeps: {
        update: {
          id: expect.stringMatching(`^${incidentId}/[0-9a-f-]+$`),
          outputs: {
            ...{ ...words, ...dated, published: { ...content, ...dated }, missing: false },
            createdAt: expect.any(String),
            record: { version: 1, posted: { written: expect.any(String) } },
            origin: { host: expect.stringContaining("127.0.0.1:"), path: "/" },
          },
        },
      },
    },
  ],
  "an update that another account's name already published in the same run is rejected": (sandbox) => [
    {
      config: accountsOf(sandbox),
      ...{ up: { one: words, two: { ...words, account: "shop" } }, fails: 1, posts: [description] },
      says: ["already declares this update"],
    },
  ],
  "an update whose resource has a new name is adopted, and the removal of the old name reports that": [
    { up: { update: words } },
    {
      ...{ up: { renamed: words }, posts: [] },
      says: [
        "adopted the identical update",
        ": a resource in the state still owns this update. Only an earlier record of it is removed.",
      ],
    },
  ],
  "an edit in the dashboard that is declared is recorded without a post, unless the update is edited again": [
    { up: { update: words } },
    {
      dashboard: { update: { description: "Capacity is enough." } },
      // The history contains the update, so it isn't read by its ID.
      faults: [{ kind: "status", code: 503, operation: "getIncidentUpdate" }],
      ...{ refresh: true, calls: [], hides: /./ },
      refreshed: {
        update: { outputs: { ...content, published: { description: "Capacity is enough." } } },
      },
    },
    {
      dashboard: { update: { description: "Edited once more." } },
      ...{ up: { update: saying("Capacity is enough.") }, fails: 1, posts: [] },
      says: ["the update was changed or deleted on the service after the last refresh"],
    },
    { refresh: true, up: { update: saying("Edited once more.") }, posts: [], hides: /./ },
    { up: { update: saying("Edited once more.") }, posts: [], reads: [] },
  ],
  "a refresh reads an update that the history lacks, and shows that it is missing": [
    { up: { update: words } },
    {
      faults: [answerOnce("getStatusPageIncident", { id: incidentId, name: "Checkout" })],
      ...{ refresh: true, calls: [], hides: /./, refreshed: { update: { outputs: { missing: false } } } },
    },
    {
      faults: [{ kind: "status", code: 404, body: "html", operation: "getStatusPageIncident" }],
      ...{ refresh: true, calls: [], fails: 1 },
      says: ["the response didn't come from the API (HTTP 404)"],
    },
    {
      ...{ dashboard: { update: null }, refresh: true, calls: [] },
      refreshed: { update: { outputs: { ...words, missing: true } } },
      says: [
        /^IncidentUpdate \S+: not found on the service\. It stays in the state and is not posted again\.$/m,
      ],
    },
    { up: {}, says: [/: removed from the state\. The update was missing at the last refresh\.$/m] },
  ],
  "a change of notifySubscribers and of account is recorded without a request, and reported if it could be mistaken for an email":
    (sandbox): Scenario => [
      { config: accountsOf(sandbox), up: { update: words } },
      {
        up: { update: { ...words, account: "shop", notifySubscribers: true } },
        ...{ posts: [], reads: [], says: ["Nothing is posted or emailed"] },
        keeps: { update: { outputs: { account: "shop", notifySubscribers: true } } },
      },
      {
        up: { update: { ...words, notifySubscribers: false } },
        ...{ posts: [], reads: [], hides: /./ },
      },
      {
        up: {},
        says: [
          /: removed from the state\. The update stays public\. To take it off the page, delete it in the dashboard\.$/m,
        ],
      },
    ],
  "an import declares incident, status, description and notifySubscribers, without the date": [
    {
      happens: ({ dashboard }) => dashboard.editUpdate(cardDeclines, newest?.id ?? "", { ...dated }),
      calls: [importing(`${cardDeclines}/${newest?.id}`)],
      keeps: {
        update: {
          inputs: expect.objectContaining({
            incidentId: cardDeclines,
            status: newest?.status,
            description: newest?.description,
            notifySubscribers: true,
          }),
          outputs: { incidentUpdateId: newest?.id, missing: false, record: { version: 1, posted: {} } },
        },
      },
    },
    {
      calls: [importing(`${cardDeclines}/${newest?.id}`)],
      keeps: {
        update: {
          inputs: expect.not.objectContaining({ publicIncidentUpdateDate: expect.anything() }),
        },
      },
    },
    {
      happens: ({ dashboard }) =>
        dashboard.editUpdate(cardDeclines, newest?.id ?? "", { notifySubscribers: false }),
      calls: [importing(`${cardDeclines}/${newest?.id}`)],
      keeps: {
        update: { inputs: expect.not.objectContaining({ notifySubscribers: expect.anything() }) },
      },
    },
  ],
  "an import of an update that no program can declare has no inputs to declare": [
    { id: "u1", status: "POSTMORTEM", description: "It is over." },
    { id: "u1", status: "RESOLVED", description: "" },
  ].map((shown) => ({
    faults: [answerOnce("getIncidentUpdate", shown)],
    calls: [importing("i/u1")],
    keeps: {
      update: {
        inputs: expect.not.objectContaining({ status: expect.anything() }),
        outputs: { status: shown.status, description: shown.description, incidentId: "i", missing: false },
      },
    },
  })),
  "a state that is damaged or of another version fails with one sentence, sends nothing, and can be removed":
    [
      {
        faults: [{ kind: "reset", operation: "createIncidentUpdate", times: 1 }],
        ...{ up: { update: words }, fails: 1 },
      },
      damaged({ record: { version: 2, sent: { ids: [], nonce: "n", at: 0 } } }),
      damaged({ record: { version: 1, sent: { nonce: 1 } } }),
      damaged({ record: undefined, made: "m", unconfirmed: {} }),
      { up: { update: words }, fails: 1, says: [unreadable], reads: [], posts: [] },
      {
        ...{ up: {}, reads: [], posts: [] },
        says: [/removed from the state\. The update (may be|stays) public/],
      },
    ],
  "a preview reads each incident once, and includes the updates that it expects to post": [
    {
      up: { found: words },
      keeps: { found: { id: expect.any(String) } },
    },
    {
      happens: (_, resources) => resources.clear(),
      preview: {
        one: words,
        two: { ...words, status: "IDENTIFIED" },
        three: saying("It is over."),
        elsewhere: { ...words, incidentId: cardDeclines },
        twin: words,
      },
      ...{ fails: 1, reads: [cardDeclines, incidentId].sort() },
      says: [
        RegExp(`"one" adopts update \\S+ on ${quoteName(incidentId)} \\(${incidentId}\\), public since `),
        /^IncidentUpdate "two" posts to .*\n {2}MAJOR, .*\n {2}Newest update, .*\n {2}IDENTIFIED, no /m,
        `"three" posts to ${quoteName(incidentId)} (${incidentId})`,
        `"elsewhere" posts to ${quoteName(cardDeclines)} (${cardDeclines})`,
        /"(one|twin)" already declares this update/,
      ],
    },
  ],
  "a preview fails in the same way as the up, and suggests the incident for a misspelled ID": [
    {
      ...{ preview: { update: { ...words, incidentId: `${incidentId}y` } }, fails: 1 },
      says: [RegExp(`not found \\(HTTP 404\\).* Did you mean "${incidentId}"\\? If `)],
    },
    {
      ...{ up: { update: { ...words, incidentId: `${incidentId}y` } }, fails: 1 },
      says: ["not found (HTTP 404)"],
    },
  ],
  "a preview of a service that doesn't respond reports that once": [
    {
      faults: [{ kind: "status", code: 503 }],
      preview: { one: words, two: saying("Two."), elsewhere: { ...words, incidentId: cardDeclines } },
      says: [/(posts to incident \S+, unless[^]*){3}/],
      saysOnce: ["not verified. The preview could not read the service. "],
    },
  ],
  ...Object.fromEntries(
    [
      { of: "the newest update, which opens the incident again", count: 1, later: -60_000 },
      { of: "an older update, which opens nothing", count: 0, later: 60_000 },
    ].map(({ of, count, later }): [string, Scenario] => {
      const over = { status: "RESOLVED", description: "It is over." };
      const at = new Date(Date.now() + later).toISOString();
      const warns = { says: count === 0 ? [] : ["reopens the incident"] };
      const silent = count === 0 ? { hides: /reopens/ } : {};
      return [
        `a preview shows the same warnings for an edit as the up after it: ${of}`,
        [
          {
            up: {
              ...story({ ...content, status: "RESOLVED" }),
              other: { ...onPage, ...over, publicIncidentUpdateDate: at },
            },
          },
          { preview: story(content), ...warns, ...silent },
          { up: story(content), writes: [`PUT ${description}`], ...warns, ...silent },
        ],
      ];
    }),
  ),
  "a change of an entry's text edits the whole update, keeps its date, and sends no email": [
    {
      up: story(content),
      posts: [{ ...content, notifySubscribers: true }],
      keeps: {
        "story-cause": {
          id: expect.stringMatching(`^${outage.statusPageId}/${outage.incidentId}/[0-9a-f-]+$`),
        },
      },
    },
    {
      up: story({ ...content, description: "Checkout works again." }),
      writes: ["PUT Checkout works again."],
      posts: [
        {
          ...{ ...content, description: "Checkout works again." },
          publicIncidentUpdateDate: expect.stringMatching(/^\d{4}-/),
        },
      ],
      ...{ page: ["Checkout works again."], mails: 0 },
    },
    { up: story({ ...content, description: "Checkout works again." }), posts: [], reads: [] },
  ],
  "an entry is edited unless a later entry can't be published, which depends on the service if that entry is public":
    [
      { up: story("One.") },
      { up: story("Two.", leftover), fails: 1, posts: [], says: [laterRejection] },
      {
        happens: putOnPage({ ...leftover, status: "RESOLVED" }),
        ...{ up: story("Two.", leftover), fails: 1, posts: [], says: [laterRejection] },
      },
      {
        happens: putOnPage(leftover),
        faults: [{ kind: "status", code: 422, operation: edit }],
        ...{ up: story("Two.", leftover), fails: 1, writes: ["PUT Two."] },
        says: ["the service rejected the request (HTTP 422)"],
      },
    ],
  "an edit that a killed run has only noted is verified, even if the program declares the content in the state":
    (): Scenario => {
      let saved: Parameters<NonNullable<Scenario[number]["happens"]>>[1] = new Map();
      return [
        { up: story("One.") },
        {
          happens: (_, resources) => void (saved = new Map(resources)),
          faults: [{ kind: "reset", operation: edit, times: 1 }],
          ...{ up: story("Two."), fails: 1 },
        },
        {
          happens: (_, resources) => saved.forEach((each, name) => resources.set(name, each)),
          ...{ up: story("One."), writes: ["PUT One."] },
        },
      ];
    },
  "a refresh after an edit without a response shows that the update was deleted, and rejects nothing": [
    { up: story("One.") },
    {
      // The engine forgets a create that a killed run didn't finish.
      happens: (_, resources) => resources.clear(),
      faults: [
        { kind: "reset", operation: edit, applied: true, times: 1 },
        { kind: "lateVisibility", operation: edit, ms: 600_000 },
      ],
      ...{ up: story("Two."), fails: 1, keeps: { "story-cause": { inputs: { description: "Two." } } } },
    },
    {
      dashboard: { "story-cause": null },
      ...{ refresh: true, calls: [], refreshed: { "story-cause": { outputs: { missing: true } } } },
    },
  ],
  "a preview of a dynamic provider rejects the change of a public update before the engine compares it": [
    { up: { update: words } },
    {
      preview: { update: { ...saying("It is over."), [programInput]: { previews: true } } },
      ...{ fails: 1, posts: [] },
      says: [
        `IncidentUpdate "update" on incident ${incidentId}: description must not change, because the update is public`,
      ],
    },
  ],
  "a preview of an edit shows the change, even of an unknown value and without a response": [
    { up: story("We are watching it.") },
    {
      ...{ preview: story("We are watching it. Sorry."), posts: [] },
      says: [
        `IncidentUpdate "story-cause" (1 of 1) edits a public update on "Orders can't be placed" (${outage.incidentId})\n` +
          '  In the text, "Sorry." is added.\n  MONITORING, no subscriber is emailed:\n  | We are watching it. Sorry.\n' +
          'IncidentUpdate "story-cause" (1 of 1): the public text before the edit\n  MONITORING:\n  | We are watching it.\n',
      ],
    },
    {
      preview: story({ status: unknownValue, description }),
      says: [
        `"story-cause" (1 of 1) edits a public update on incident ${outage.incidentId}, unless it already matches the declaration\n` +
          "  Unknown until `pulumi up`: status.\n  a status that is not known yet, no subscriber is emailed:\n  | We are watching it.\n",
        "the public text, as recorded in the state\n  MONITORING:\n  | We are watching it.",
      ],
    },
    {
      preview: story({ description: "Sorry.", incidentId: unknownValue }),
      says: [
        "Unknown until `pulumi up`: incidentId. If it turns out to be different, `pulumi up` rejects the change.",
      ],
    },
    {
      // The description of another entry is unknown.
      preview: {
        "story-cause": {
          ...{ ...onPage, description: "Sorry." },
          [programInput]: { place: unknownValue, key: "cause" },
        },
      },
      says: [`edits a public update on incident ${outage.incidentId}, unless it already matches`, "| Sorry."],
    },
    {
      faults: [{ kind: "status", code: 503 }],
      ...{ preview: story("Sorry."), says: ["edits a public update on incident"] },
    },
  ],
  "a preview of a page with components reads them once, and shows the incident's effect on them or their IDs":
    [
      {
        preview: { one: onPage, two: { ...onPage, description: "Still on it." } },
        says: ["major outage of Checkout, degraded performance of Search, "],
        reads: ["components", outage.incidentId].sort(),
      },
      {
        faults: [{ kind: "status", code: 403, operation: "listComponents" }],
        ...{ preview: { one: onPage }, says: [/major outage of (?!Checkout)\S+, degraded/] },
      },
      ...[["OPERATIONAL" as const], []].map((statuses) => ({
        happens: (service: Sandbox) => {
          const [impact] = showOutage(service).componentImpacts;
          const componentImpacts = statuses.flatMap((status) => (impact ? { ...impact, status } : []));
          editOutage({ componentImpacts })(service);
        },
        ...{ preview: { one: onPage }, says: [/\n {2}IDENTIFIED, began /], reads: [outage.incidentId] },
      })),
    ],
  "an update of a page with components is refreshed and imported at its location": [
    { up: { update: onPage } },
    {
      dashboard: { update: { description: "Edited." } },
      ...{ refresh: true, calls: [] },
      refreshed: { update: { outputs: { published: { description: "Edited." }, missing: false } } },
    },
    {
      happens: putOnPage(content),
      calls: [importing(`${outage.statusPageId}/${outage.incidentId}/by-hand-MONITORING`, "imported")],
      keeps: { imported: { inputs: onPage } },
    },
    {
      happens: ({ dashboard }) =>
        dashboard.editIncident(outage.incidentId, { id: "another" }, outage.statusPageId),
      ...{ refresh: true, calls: [], refreshed: { update: { outputs: { missing: true } } } },
    },
  ],
});

describe("IncidentUpdate.get", () => {
  const sandbox = sandboxForEachTest();
  const read = async (id: string, old: object = {}, settings: object = {}) =>
    lifecycles.IncidentUpdate.read(id, { ...old }, createContext(connectTo({ ...sandbox(), ...settings })));

  it.each<[string, object]>([
    ["without a flag and a public date", { publicIncidentUpdateDate: null }],
    ["without a status", { status: undefined }],
  ])(
    "IncidentUpdate.get reads an update %s, and keeps it as missing after its deletion",
    async (_, shown) => {
      sandbox().faults.add(answerOnce("getIncidentUpdate", { id: "u1", ...content, ...shown }));
      const id = `${incidentId}/u1`;
      const { outputs } = await read(id);
      expect(outputs).toMatchObject({ ...words, ...shown, notifySubscribers: false, missing: false });
      expect(await read(id, outputs)).toMatchObject({ id, outputs: { ...outputs, missing: true } });
      await expect(read(id, outputs, { accountId: "another" })).rejects.toThrow(
        /account points to account another on .*, but the update was posted to account /,
      );
    },
  );

  it.each(["inc_checkout_latency", "/u1", "inc_checkout_latency/", "page//u1", "page/inc/u1/more"])(
    "IncidentUpdate.get and an import explain the format of an ID for %p, and send no request",
    async (id) => {
      const reason =
        "id must be <incidentId>/<incidentUpdateId> or, on a page with components, " +
        "<statusPageId>/<incidentId>/<incidentUpdateId>.";
      await expect(read(id)).rejects.toThrow(`IncidentUpdate.get: ${reason}`);
      const importingIt = lifecycles.IncidentUpdate.import(id, createContext(connectTo(sandbox())));
      await expect(importingIt).rejects.toThrow(`IncidentUpdate import: ${reason}`);
      expect(sandbox().requests).toEqual([]);
    },
  );
});

/** Tests declarations of updates in the program: their order, their names, and rejected duplicates. */
import { programInput } from "../../provider/engine";
import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { IncidentTimeline, type IncidentTimelineEntry, IncidentUpdate } from "../../sdk";
import { startMocks, readOutput } from "./connected";

interface Registration {
  getName(): string;
  getDependenciesList(): string[];
}

const registerResource = jest.spyOn(MockMonitor.prototype, "registerResource");
const registrations = () => registerResource.mock.calls.map(([request]) => request as Registration);

const inputsByName = new Map<string, Record<string, unknown>>();
beforeAll(async () => {
  pulumi.runtime.setAllConfig({
    "monitoring:apiKey": "key",
    "monitoring:accountId": "own",
    "monitoring:baseUrl": "https://api.example.com",
    "monitoring:accounts": JSON.stringify({
      default: { apiKey: "another-key", accountId: "own" },
      us: { apiKey: "key", baseUrl: "https://us.example.com" },
    }),
  });
  await startMocks(({ name, inputs }) => inputsByName.set(name, inputs as Record<string, unknown>));
});

afterAll(() => pulumi.runtime.disconnect());

/** Each test uses another incident, because the process records the declarations. */
let count = 0;
let incidentId: string;
beforeEach(() => {
  incidentId = `inc-${++count}`;
});

const words = { status: "MONITORING", description: "We watch it." } as const;
const atNoon = { publicIncidentUpdateDate: "2026-01-31T12:00:00Z" };

describe("the entries of a timeline", () => {
  it("the entries of a timeline must not have equal content and the same date", () => {
    const entry = { ...words, publicIncidentUpdateDate: "2026-01-31T12:00:00Z" };
    const updates = [entry, words, entry].map((given, index) => ({ ...given, key: `e${index + 1}` }));
    expect(() => new IncidentTimeline("story", { incidentId, updates })).toThrow(
      'IncidentTimeline "story": updates must not repeat an entry with the same date, but entries 1 and 3 have the same',
    );
  });

  it.each<[string, unknown]>([
    ["lists", [["MONITORING", "We watch it."]]],
    ["holes", Array(1)],
    ["outputs", [pulumi.output(words)]],
    ["promises", [Promise.resolve(words)]],
  ])("the entries of a timeline must not be %s", (_, given) => {
    const updates = given as IncidentTimelineEntry[];
    expect(() => new IncidentTimeline("story", { incidentId, updates })).toThrow(
      'IncidentTimeline "story": updates must be a list of entries, each with key, status and description.',
    );
  });
});

const declare = (name: string, args: object, options?: pulumi.CustomResourceOptions): IncidentUpdate =>
  new IncidentUpdate(name, { incidentId, ...words, ...args }, options);

// test/protocol/identity.test.ts tests which content is identical.
it("two declarations on one incident with the same content are rejected, with both names", () => {
  declare("first", atNoon);
  expect(() => declare("second", {})).toThrow(
    'IncidentUpdate "second": "first" declares an identical update on the same incident. To post the same text again, declare both updates as entries of an IncidentTimeline.',
  );
});

it.each<[string, object, object]>([
  ["changed content", {}, { description: "We watched it." }],
  ["no date, and then one", {}, atNoon],
  ["another account, possibly on another service", {}, { account: "us" }],
  ["another page, where a migrated incident has separate updates", {}, { statusPageId: "page_shop" }],
  ["unknown content", {}, { description: pulumi.output("We watch it.") }],
  ["unknown accounts", { account: pulumi.output("us") }, { account: pulumi.output("eu") }],
])("two declarations on one incident with %s aren't rejected", (_, first, second) => {
  declare("first", first);
  expect(() => declare("second", second)).not.toThrow();
});

it("each update passes its URN to the dynamic provider, because the engine identifies updates by it", async () => {
  const page = new pulumi.ComponentResource("test:index:Page", incidentId);
  const card = new pulumi.ComponentResource("test:index:Card", incidentId, {}, { parent: page });
  // This parent is in another process, like the parent that the program of a component package receives.
  const other = new pulumi.DependencyResource("urn:pulumi:test::test::a:b:C$a:b:D::one::two");
  const inOther = new pulumi.ComponentResource(
    "test:index:Card",
    `${incidentId}-card`,
    {},
    { parent: other },
  );
  const names: unknown[] = [];
  for (const [index, parent] of [undefined, page, card, inOther].entries()) {
    const name = `${incidentId}-named-${index}`;
    const update = declare(name, { description: name }, { ...(parent && { parent }) });
    await readOutput(update.urn);
    const { urn } = Object(inputsByName.get(name)?.[programInput]) as { urn?: string };
    names.push(
      urn?.split("::").slice(2).join("::").replace("pulumi-nodejs:dynamic/monitoring:IncidentUpdate::", ""),
    );
  }
  expect(names).toEqual([
    `${incidentId}-named-0`,
    `test:index:Page$${incidentId}-named-1`,
    `test:index:Page$test:index:Card$${incidentId}-named-2`,
    `a:b:C$a:b:D$test:index:Card$${incidentId}-named-3`,
  ]);
});

describe("updates of one incident", () => {
  const declareOwn: typeof declare = (name, args, options) =>
    declare(name, { description: name, ...args }, options);

  /** Returns the names of the resources that a resource waits for. */
  async function listDependencies(name: string, update: IncidentUpdate): Promise<string[] | undefined> {
    await readOutput(update.urn);
    const urns = registrations()
      .findLast((request) => request.getName() === name)
      ?.getDependenciesList();
    return urns?.map((urn) => urn.split("::").at(-1) ?? "");
  }

  it.each<[string, object, string[]]>([
    ["the same is chained to the one before it", {}, ["first"]],
    ["another incident isn't", { incidentId: "inc-other" }, []],
    ["another account isn't", { account: "us" }, []],
    ["the incident on another page isn't", { statusPageId: "page_shop" }, []],
    ["an unknown incident isn't", { incidentId: pulumi.output("inc") }, []],
    ["an unknown account isn't", { account: pulumi.output("us") }, []],
  ])("one update of %s", async (_, args, expected) => {
    declareOwn("first", {});
    expect(await listDependencies("second", declareOwn("second", args))).toEqual(expected);
  });

  it("updates of one incident are chained only within their component, and other updates may wait for them", async () => {
    const page = new pulumi.ComponentResource("test:index:Page", incidentId);
    const declared = [
      ["inside", { parent: page }, []],
      ["after", { dependsOn: page }, ["inside"]],
      ["late", { parent: page }, ["inside"]],
      ["outside", {}, ["after"]],
    ] as const;
    for (const [name, options, expected] of declared) {
      expect(await listDependencies(name, declareOwn(name, {}, options))).toEqual(expected);
    }
  });

  it("updates of one incident aren't chained to updates that wait for their component", async () => {
    const part = (name: string) => new pulumi.ComponentResource("test:index:Part", `${incidentId}-${name}`);
    const [waited, transitive, input] = ["waited", "transitive", "input"].map((name) => part(name));
    let resolve: (id: string) => void = () => undefined;
    const later = new Promise<string>((done) => (resolve = done));
    const between = declareOwn("between", { incidentId: "between" }, { dependsOn: transitive });
    const declared: [name: string, options: pulumi.CustomResourceOptions, args?: object][] = [
      ["with-input", { parent: part("early") }, { description: pulumi.output(later) }],
      ["in-input", { parent: input }],
      ["after-waited", { dependsOn: waited }],
      ["in-waited", { parent: waited }],
      ["after-between", { dependsOn: between }],
      ["in-transitive", { parent: transitive }],
    ];
    const updates = declared.map(([name, options, args = {}]) => declareOwn(name, args, options));
    updates[1]?.urn.apply(resolve);
    // The URN of updates that wait for each other would never resolve.
    expect(await Promise.all(updates.map(({ urn }) => readOutput(urn)))).toHaveLength(updates.length);
  });

  it("updates of one incident that a program only reads aren't chained", async () => {
    declareOwn("first", {});
    const found = IncidentUpdate.get("found", `${incidentId}/u1`);
    expect(await listDependencies("found", found)).toBeUndefined();
  });

  // test/plugin/components.test.ts tests invalid keys.
  it("the entries of a timeline are named by their keys", async () => {
    const keyed = ["cause", "02-fixed"].map((key) => ({ ...words, description: key, key }));
    const { updates } = new IncidentTimeline("story", { incidentId, updates: keyed });
    const urns = await Promise.all(updates.map(({ urn }) => readOutput(urn)));
    expect(urns.map((urn) => urn.split("::").at(-1))).toEqual(["story-cause", "story-02-fixed"]);
    const some = [{ ...words, key: "cause" }, words] as IncidentTimelineEntry[];
    expect(() => new IncidentTimeline("s", { incidentId, updates: some })).toThrow(
      'IncidentTimeline "s": updates must have a key on each entry, such as key: "cause", but entry 2 has no key',
    );
  });
});

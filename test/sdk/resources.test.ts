/** What a declared resource passes to the engine. */
import * as pulumi from "@pulumi/pulumi";
import { AlertChannel, IncidentUpdate } from "../../sdk";
import { wellFormedArgs } from "../../sdk/program/wellFormed";
import { startMocks, valueOf } from "./connected";

beforeAll(() => startMocks());
afterAll(() => pulumi.runtime.disconnect());

it.each(["import", "id"])("an observed resource takes no option %s", (option) => {
  expect(() => new AlertChannel("mail", { channelId: 4107 }, { [option]: "4107" })).toThrow(
    'AlertChannel "mail": can\'t be imported or read by id: declaring it reads the existing object.',
  );
});

/** Pulumi would record one for each property of a resource, at a third of the time of a large program. */
describe("stack traces", () => {
  /** An update may be declared once. */
  let declared = 0;
  const updateArgs = () =>
    ({ incidentId: `i${++declared}`, status: "MONITORING", description: "x" }) as const;
  const declarations: [string, (options: pulumi.CustomResourceOptions) => pulumi.Resource][] = [
    ["IncidentUpdate", (options) => new IncidentUpdate("update", updateArgs(), options)],
    ["AlertChannel", (options) => new AlertChannel("channel", { channelId: 4107 }, options)],
  ];
  const usual = Error.stackTraceLimit;
  afterEach(() => delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"]);

  it.each(
    declarations.flatMap(([kind, declare]) => [
      { kind, declare, leaks: "", during: 0 },
      { kind, declare, leaks: "1", during: usual },
    ]),
  )("of $kind have $during frames with PULUMI_DEBUG_PROMISE_LEAKS=$leaks", ({ declare, leaks, during }) => {
    if (leaks) process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = leaks;
    let frames = NaN;
    const transformation = (): undefined => {
      frames = Error.stackTraceLimit;
    };
    declare({ transformations: [transformation] });
    expect([frames, Error.stackTraceLimit]).toEqual([during, usual]);
  });
});

describe("arguments", () => {
  const half = "Half \ud83d";
  const repaired = "Half \ufffd";

  it("have each lone surrogate replaced by U+FFFD, at any depth, in plain values, promises and outputs", async () => {
    const list = ["\udc00", { text: pulumi.output(half) }];
    const output = pulumi.output([half]);
    const args = { plain: half, output, promise: Promise.resolve(half), list, [half]: 1 };
    expect(await valueOf(pulumi.output(wellFormedArgs(args)))).toEqual({
      plain: repaired,
      output: [repaired],
      promise: repaired,
      list: ["\ufffd", { text: repaired }],
      [repaired]: 1,
    });
  });

  it("keep all other values", () => {
    const args = {
      emoji: "👩‍👧",
      nothing: null,
      missing: undefined,
      flag: true,
      count: 1.5,
      date: new Date(0),
    };
    expect(wellFormedArgs(args)).toEqual(args);
  });

  it("keep secrets marked as secret", async () => {
    const { description } = wellFormedArgs({ description: pulumi.secret(half) });
    expect(await pulumi.isSecret(pulumi.output(description))).toBe(true);
  });
});

/** The warnings of a program of this project, whose stack has these keys. */
async function warningsIn(project: string, settings: Record<string, string>): Promise<unknown[]> {
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  await startMocks(undefined, project);
  pulumi.runtime.setAllConfig(settings);
  new AlertChannel("mail", { channelId: 4107 });
  await pulumi.runtime.disconnect();
  const warnings = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  return warnings;
}

it("warns of an unknown key in the namespace of this package, unless it is the project's own", async () => {
  const settings = {
    "monitoring:incidentId": "inc_1",
    "monitoring:timeoutMs": "1",
    "shop:incidentId": "inc_1",
  };
  expect(await warningsIn("shop", settings)).toEqual([
    expect.stringContaining("monitoring:incidentId is not a known setting and has no effect"),
  ]);
  expect(await warningsIn("monitoring", settings)).toEqual([]);
});

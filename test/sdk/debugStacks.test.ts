/** Stack traces that Pulumi would record for each property of a resource, at a third of the time of a large program. */
import * as pulumi from "@pulumi/pulumi";
import { AlertChannel, IncidentUpdate } from "../../sdk";

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs as object }),
    call: () => ({}),
  }),
);
afterAll(() => pulumi.runtime.disconnect());
afterEach(() => Reflect.deleteProperty(process.env, "PULUMI_DEBUG_PROMISE_LEAKS"));

/** An update may be declared once. */
let declared = 0;
const updateArgs = () => ({ incidentId: `i${++declared}`, status: "MONITORING", description: "x" }) as const;
const declarations: [string, (options: pulumi.CustomResourceOptions) => pulumi.Resource][] = [
  ["IncidentUpdate", (options) => new IncidentUpdate("update", updateArgs(), options)],
  ["AlertChannel", (options) => new AlertChannel("channel", { channelId: 4107 }, options)],
];

/** How many frames the stack traces have that are recorded while the resource registers. */
function framesDuring(declare: (options: pulumi.CustomResourceOptions) => pulumi.Resource): number {
  let frames = NaN;
  const transformation = (): undefined => {
    frames = Error.stackTraceLimit;
  };
  declare({ transformations: [transformation] });
  return frames;
}

const usual = Error.stackTraceLimit;

it.each(declarations)("%s records none, and those of the program are as before", (_, declare) => {
  expect(framesDuring(declare)).toBe(0);
  expect(Error.stackTraceLimit).toBe(usual);
});

it.each(declarations)("%s records them to debug promises that never settle", (_, declare) => {
  process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "1";
  expect(framesDuring(declare)).toBe(usual);
});

it.each(declarations)("%s that can't register leaves those of the program as before", (_, declare) => {
  const fail = () => {
    throw new Error("in the transformation");
  };
  expect(() => declare({ transformations: [fail] })).toThrow("in the transformation");
  expect(Error.stackTraceLimit).toBe(usual);
});

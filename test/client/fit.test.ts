import { z } from "zod";
import { fits } from "../../provider/client/fit";
import { type Operation, operations } from "../../provider/api/operations";
import { seedData } from "../../sandbox";

const [{ statusPages, statusPageIncidents, alertChannels, incidents }] = seedData({
  now: new Date(0),
}).accounts;

/** Answers that are right, by operation. */
const right: Record<keyof typeof operations, unknown> = {
  createIncidentUpdate: statusPageIncidents[0]?.incidentUpdates[0],
  getIncidentUpdate: statusPageIncidents[0]?.incidentUpdates[1],
  getStatusPageIncident: { ...statusPageIncidents[0], lastUpdateStatus: "MONITORING" },
  getIncident: incidents[0],
  getAlertChannel: alertChannels[0],
  listStatusPages: {
    length: 2,
    entries: [
      { ...statusPages[0], incidents: statusPageIncidents.slice(0, 2) },
      { id: "least", name: "" },
    ],
    nextId: null,
  },
};

const odd = [
  undefined,
  null,
  "",
  "text",
  0,
  1.5,
  Infinity,
  true,
  [],
  [null],
  {},
  { id: "x" },
  { a: { b: 1 } },
];

/** The same with one value in it, at any depth, replaced by something odd or left out. */
function* spoilt(value: unknown, by: unknown): Generator {
  yield by;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const one of spoilt(item, by)) yield value.toSpliced(index, 1, one);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value))
      for (const one of spoilt(item, by)) yield { ...value, [key]: one };
  }
}

test.each(Object.entries(right))("what %s answers fits just when zod says so", (name, json) => {
  const all: Operation[] = Object.values(operations);
  const { answer } = all.find((operation) => operation.name === name) ?? {};
  const schema: z.ZodType = answer ?? z.never();
  expect(fits(schema, json)).toBe(true);
  let [yes, no] = [0, 0];
  for (const by of odd) {
    for (const one of spoilt(json, by)) {
      const accepted = schema.safeParse(one).success;
      if (fits(schema, one) !== accepted) throw new Error(`zod says ${accepted} to ${JSON.stringify(one)}`);
      if (accepted) yes += 1;
      else no += 1;
    }
  }
  expect(Math.min(yes, no)).toBeGreaterThan(10);
});

test.each<[string, z.ZodType, unknown, boolean]>([
  ["a shorter text", z.string().min(2), "a", false],
  ["a text that another check refuses", z.string().regex(/^a/), "b", false],
  ["a text that another check beside the length refuses", z.string().min(1).max(2), "abc", false],
  ["an object that must have nothing else", z.strictObject({ a: z.string() }), { a: "1", b: 2 }, false],
  [
    "an object that a check of its own refuses",
    z.looseObject({ a: z.string() }).refine(() => false),
    { a: "1" },
    false,
  ],
  ["a list that is too short", z.array(z.string()).min(1), [], false],
  ["a record whose keys are ruled", z.record(z.string().min(2), z.unknown()), { a: 1 }, false],
  ["a list in place of a record", z.record(z.string(), z.unknown()), [], false],
  ["one of two", z.union([z.string(), z.number()]), 7, true],
  ["one of many", z.enum(["a", "b"]), "b", true],
])("what a schema may say besides: %s", (_, schema, value, expected) => {
  expect(fits(schema, value)).toBe(expected);
});

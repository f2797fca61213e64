/** A preview warns of what the `up` after it warns of, and of nothing else: each update is compared with what the run has made of the incident by then. */
import { fc, runs } from "../propertySeed";
import { by, type DynamicProvider, inputsOf, type Properties } from "./phases";
import { temporaryFolder } from "../temporaryFolder";
import { incidentId, Service } from "./updateProcess";

beforeEach(() => Reflect.deleteProperty(process.env, "MONITORING_LOCK_DIRECTORY"));

const service = new Service();
const warnings = () => service.notices.filter((text) => text.startsWith("warning: "));

/** Declares all, each after the one before it, as the engine does. */
async function declare(process: DynamicProvider, program: readonly Properties[], isPreview: boolean) {
  service.notices = [];
  for (const [index, args] of program.entries()) {
    const call = { previews: isPreview, shown: { description: args["description"] } };
    const news = { incidentId, ...args, ...by(`update-${index}`, call) };
    const inputs = await inputsOf(process, news);
    if (!isPreview) await process.create(inputs);
  }
  return warnings();
}

const hour = 3_600_000;
const dates = [-30 * 24, -2, -1, 0, 2].map((hours) => new Date(Date.now() + hours * hour).toISOString());
const update = fc.record(
  {
    status: fc.constantFrom("INVESTIGATING", "MONITORING", "RESOLVED"),
    description: fc.constantFrom("We look into it.", "It is over.", "Since {{ time }}."),
    publicIncidentUpdateDate: fc.option(fc.constantFrom(...dates), { nil: undefined }),
    notifySubscribers: fc.boolean(),
  },
  { requiredKeys: ["status", "description", "notifySubscribers"] },
);

/** Each is another one than those before it: a program that declares one twice is refused. */
const program = fc.uniqueArray(update, {
  minLength: 1,
  maxLength: 4,
  selector: ({ status, description }) => `${status} ${description}`,
});

it("the warnings of a preview are those of the up after it", async () => {
  await fc.assert(
    fc.asyncProperty(program, async (declared) => {
      const { incidentUpdates } = service.sandbox.incident(incidentId);
      // Another machine each time, which knows nothing of what was posted before.
      const machine = { "monitoring:lockDirectory": temporaryFolder() };
      const previewed = await declare(await service.process(machine), declared, true);
      const warned = await declare(await service.process(machine), declared, false);
      expect(warned).toEqual(previewed);
      service.sandbox.byHand.editIncident(incidentId, { incidentUpdates: [...incidentUpdates] });
    }),
    { numRuns: runs(25) },
  );
});

it("a preview warns as the up does of a timeline that opens a resolved incident again with the same words", async () => {
  const entry = (status: string, occurrence = 1) => ({ status, description: "It is over.", occurrence });
  const declared = [entry("RESOLVED"), entry("MONITORING"), { ...entry("MONITORING"), occurrence: 2 }];
  const previewed = await declare(await service.process(), declared, true);
  expect(previewed).toEqual([
    expect.stringContaining('IncidentUpdate "update-1": status opens the incident again'),
  ]);
  expect(await declare(await service.process(), declared, false)).toEqual(previewed);
});

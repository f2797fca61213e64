import { Session } from "node:inspector";

const session = new Session();

/** How often functions are called by an action: on every machine the same, unlike the time that it takes. */
export function callsIn(action: () => unknown): number {
  let calls = 0;
  session.post("Profiler.takePreciseCoverage");
  action();
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error) throw error;
    for (const { functions } of result) for (const { ranges } of functions) calls += ranges[0]?.count ?? 0;
  });
  return calls;
}

beforeAll(() => {
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
});

afterAll(() => {
  session.disconnect();
});

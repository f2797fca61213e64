/**
 * Tests secret texts and the names of removed updates with runs, because wire.test.ts shows that both adapters behave the same. Previews,
 * edits and adoptions are tested in wire.test.ts and rejections.test.ts.
 */
import { secret } from "./adapters";
import { createTimeline, outage, saying, type Scenario } from "./expecting";
import { playEach } from "./inProcess";

const story = (texts: Parameters<typeof createTimeline>[1]) => createTimeline("story", texts);

const scenarios: Record<string, Scenario> = {
  "a text that was secret stays hidden, even after an edit with an unknown result": [
    {
      up: story({ hidden: { description: secret("Canary.") } }),
      ...{ hides: /Canary/, posts: ["Canary."] },
    },
    {
      preview: story({ hidden: "Plain.", second: "Second." }),
      ...{ plans: ["create", "update"], hides: /Canary/, says: ["(secret text)", "| Plain."] },
    },
    {
      preview: story({ hidden: { description: secret("Other.") } }),
      ...{ says: ["MONITORING, no subscriber is emailed: (secret text)"], hides: /Canary|Other/ },
    },
    {
      faults: [{ kind: "reset", operation: "editComponentPageIncidentUpdate" }],
      ...{ up: story({ hidden: "Plain." }), fails: 1, hides: /Canary/ },
      keeps: { "story-hidden": { outputs: { published: secret(expect.anything()) } } },
    },
    { up: story({ hidden: "Plain." }), keeps: { "story-hidden": { outputs: { description: "Plain." } } } },
  ],
  "the name of a removed update can immediately be used for another update": [
    { up: { a: { ...saying("One."), ...outage } } },
    { up: {} },
    { up: { a: { ...saying("Two."), ...outage } }, writes: ["POST Two."], page: ["Two.", "One."] },
  ],
};

playEach(scenarios);

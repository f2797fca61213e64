/** What the components of the plugin make of values that a preview doesn't know yet. */
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Connections } from "../../provider/connection";
import { unknownValue } from "../../provider/engine/unknown";
import { components } from "../../provider/plugin/components";
import { readObjects, readStruct } from "../../provider/plugin/values";

const environment = { MONITORING_BASE_URL: "https://example.com", MONITORING_API_KEY: "unused" };
const entry = { status: "MONITORING", description: "The canary is well." };

it.each([[unknownValue], [[unknownValue]], [[entry, unknownValue]]])(
  "a timeline of %j registers no update, and its ids are unknown",
  async (updates) => {
    const sent = Struct.fromJavaScript({ incidentId: "inc_label_printing", updates });
    const registered: string[] = [];
    const outputs = await components["IncidentTimeline"]?.({
      name: "story",
      inputs: readStruct(sent),
      objectsOf: (input) => readObjects(sent, input),
      context: {
        connections: new Connections(() => undefined, environment),
        notice: () => undefined,
        progress: () => undefined,
        assertEngineAlive: () => Promise.resolve(),
      },
      warn: () => undefined,
      register: (_type, name) => {
        registered.push(name);
        return Promise.resolve({});
      },
    });
    expect(outputs).toEqual({ incidentUpdateIds: unknownValue });
    expect(registered).toEqual([]);
  },
);

/** What the text in a stack's state names (`dynamic/text.ts`): one provider for each kind of resource. */
import { DynamicProvider } from "./dynamic/provider";
import { incidentUpdate } from "./lifecycles/incidentUpdate";

export const IncidentUpdate = new DynamicProvider(incidentUpdate);

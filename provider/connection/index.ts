/** Connects a run to the service: from settings and variables to clients, whose reads are shared and cached. */
export {
  type AccountArgs,
  type Connection,
  Connections,
  type ConnectionsOptions,
  connectLater,
  tellLongWait,
} from "./connections";
export { connectedSandboxes, namespace, secretSettings, settingNames, variables } from "./environment";
export { type AnyIncident, type Incidents } from "./incidents";
export { idOfSummary, readEach, undefinedIfAbsent } from "./reads";
export { Settings } from "./settings";

/** Connects a run to the service: from settings and variables to clients, whose reads are shared and cached. */
export {
  type Connection,
  Connections,
  type ConnectionsOptions,
  connectLater,
  type ReadConnections,
  tellLongWait,
} from "./connections";
export * from "./environment";
export { readEach, type Reads, undefinedIfAbsent } from "./reads";
export { type Environment, type ReadConfig, type Setting, Settings } from "./settings";

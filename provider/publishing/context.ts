import { type Connections } from "../connection/connections";

/** What publishing needs of a run. */
export interface PublishingContext {
  readonly connections: Connections;
  /** Identifies the resource within the run; undefined when it isn't known. */
  readonly resource?: string | undefined;
  notice(text: string): void;
  assertEngineAlive(): Promise<void>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

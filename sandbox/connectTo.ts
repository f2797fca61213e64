/** Connects programs in this process, and processes that it starts, to a sandbox, by environment variables. */
import { connectedSandboxes, variables } from "../provider/connection";

/** The part of a sandbox that a connection needs. */
interface Address {
  readonly url: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly accountHeader: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The connected sandboxes, in the order of connection. */
const connected: Address[] = [];
let original: Environment = {};

const environmentOf = ({ url, apiKey, accountId, accountHeader }: Address): Environment => ({
  [variables.baseUrl]: url,
  [variables.apiKey]: apiKey,
  [variables.accountId]: accountId,
  [variables.accountHeader]: accountHeader,
  [connectedSandboxes]: connected.map((one) => one.url).join(" "),
});

/**
 * Connects the data sources, resources and commands of this package to the sandbox: sets `MONITORING_BASE_URL`,
 * `MONITORING_API_KEY`, `MONITORING_ACCOUNT_ID` and `MONITORING_ACCOUNT_HEADER` of this process, which take precedence over
 * the stack's configuration. Of several sandboxes, the last one counts. `MONITORING_CONNECTED_SANDBOXES` has the URLs of all
 * of them: accounts and providers with any other base URL are rejected. Closing the sandbox restores the variables.
 */
export function connectTo(sandbox: Address): void {
  if (connected.length === 0) {
    const names = Object.keys(environmentOf(sandbox));
    original = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  }
  connected.push(sandbox);
  useLast();
}

/** Undoes every {@link connectTo} of this sandbox. */
export function disconnectFrom(sandbox: Address): void {
  if (!connected.includes(sandbox)) return;
  connected.splice(0, Infinity, ...connected.filter((one) => one !== sandbox));
  useLast();
}

function useLast(): void {
  const last = connected.at(-1);
  for (const [name, value] of Object.entries(last ? environmentOf(last) : original)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}

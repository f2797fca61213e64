/**
 * Names the settings in the environment and in the configuration, and finds Pulumi's home. Every program loads this file, so it doesn't
 * need zod.
 */
import { homedir } from "node:os";
import { join } from "node:path";

/** The namespace of the configuration. The keys of a project with this name are in the same namespace. */
export const namespace = "monitoring";

/** The environment variables of the settings. A variable takes precedence if it is set and not empty. */
export const variables = {
  apiKey: "MONITORING_API_KEY",
  accountId: "MONITORING_ACCOUNT_ID",
  baseUrl: "MONITORING_BASE_URL",
  accountHeader: "MONITORING_ACCOUNT_HEADER",
  alertChannels: "MONITORING_ALERT_CHANNELS",
  timeoutMs: "MONITORING_TIMEOUT_MS",
  deadlineMs: "MONITORING_DEADLINE_MS",
  readOnly: "MONITORING_READ_ONLY",
  lockDirectory: "MONITORING_LOCK_DIRECTORY",
  clientIds: "MONITORING_CLIENT_IDS",
  resend: "MONITORING_RESEND",
} as const;

/**
 * The variable that contains the URLs of the sandboxes that a test has connected, separated by spaces. It isn't a setting: while it is set,
 * every account must use one of these sandboxes.
 */
export const connectedSandboxes = "MONITORING_CONNECTED_SANDBOXES";

/** Settings that contain an API key. */
export const secretSettings: ReadonlySet<string> = new Set(["apiKey", "accounts"]);

export const settingNames: readonly string[] = [...Object.keys(variables), "accounts"];

/** Returns the folder that contains Pulumi's data of this user; undefined without a home, as in some containers. */
export function findPulumiHome({
  PULUMI_HOME,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (PULUMI_HOME) return PULUMI_HOME;
  try {
    const home = homedir();
    // If HOME is set but empty, `homedir` returns an empty path, and the result would be in the working folder.
    return home === "" ? undefined : join(home, ".pulumi");
  } catch {
    return undefined;
  }
}

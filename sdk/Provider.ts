/**
 * Declares the explicit provider of the native plugin, and constants for this package's own values. Programs that `pulumi import` and
 * `pulumi convert` print use these constants.
 */
import * as pulumi from "@pulumi/pulumi";
import { namespace, variables } from "../provider/connection/environment";
import { pauseStackTraces } from "./program";
import { assertPluginDeclared } from "./registration";

/** An additional account of a {@link Provider}. */
export interface ProviderAccount {
  /** API key of the account. */
  apiKey: pulumi.Input<string>;
  /** ID of the account that requests use. Default: the account of the API key. */
  accountId?: pulumi.Input<string | undefined>;
  /** Base URL of the service. Default: the provider's base URL. */
  baseUrl?: pulumi.Input<string | undefined>;
}

/**
 * The arguments are connection settings. If an argument isn't set, its environment variable is used. In TypeScript and JavaScript,
 * `readOnly`, `lockDirectory` and `resend` then default to the settings of the same name in the stack's configuration.
 */
export interface ProviderArgs {
  /** API key. It is always stored as a secret. Default: `MONITORING_API_KEY`. */
  apiKey?: pulumi.Input<string | undefined>;
  /** Base URL of the service, with HTTPS, or HTTP for loopback hosts. Default: `MONITORING_BASE_URL`. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** ID of the account that requests use. Default: `MONITORING_ACCOUNT_ID`, otherwise the account of the API key. */
  accountId?: pulumi.Input<string | undefined>;
  /** Name of the HTTP header that contains the account ID. Default: `MONITORING_ACCOUNT_HEADER`, otherwise `x-service-account`. */
  accountHeader?: pulumi.Input<string | undefined>;
  /**
   * Time limit of one attempt, in milliseconds. Default: `MONITORING_TIMEOUT_MS`, otherwise 15,000.
   *
   * @integer
   */
  timeoutMs?: pulumi.Input<number | undefined>;
  /**
   * Time limit of one call, including all attempts and waits, in milliseconds. Default: `MONITORING_DEADLINE_MS`, otherwise
   * 60,000.
   *
   * @integer
   */
  deadlineMs?: pulumi.Input<number | undefined>;
  /**
   * Whether to reject every write before it is sent. With `MONITORING_READ_ONLY=1`, writes are rejected even if this argument is false.
   * Default: `MONITORING_READ_ONLY`, otherwise false.
   */
  readOnly?: pulumi.Input<boolean | undefined>;
  /**
   * Absolute path of the directory for lock files. Runs that share this directory take turns posting to an incident. Default:
   * `MONITORING_LOCK_DIRECTORY`, otherwise `monitoring-locks` in `PULUMI_HOME` or `~/.pulumi`.
   */
  lockDirectory?: pulumi.Input<string | undefined>;
  /**
   * Whether to post updates with an ID that this package generates. No effect on pages with components. Default: `MONITORING_CLIENT_IDS`,
   * otherwise true.
   */
  clientIds?: pulumi.Input<boolean | undefined>;
  /**
   * Resend codes from error messages of earlier runs, separated by spaces. Each code overrides one rejection, such as a
   * repeated post. Codes in `MONITORING_RESEND` are used as well.
   */
  resend?: pulumi.Input<string | undefined>;
  /** IDs of alert channels, by name. Default: `MONITORING_ALERT_CHANNELS`. */
  alertChannels?: pulumi.Input<Record<string, pulumi.Input<string | number>> | undefined>;
  /** Additional accounts, by name. They are always stored as a secret. */
  accounts?: pulumi.Input<Record<string, pulumi.Input<ProviderAccount>> | undefined>;
}

/**
 * Connects resources of the native plugin to another account or service. Select the provider with the option `provider`. Resources without
 * this option use the stack's configuration. The run fails if an argument is invalid, and the error lists all problems.
 *
 * @example
 * const eu = new Provider("eu", { apiKey: config.requireSecret("euKey"), baseUrl: "https://api.example.com" });
 * new IncidentUpdate("known", { incidentId, status: "IDENTIFIED", description }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    assertPluginDeclared();
    const { apiKey, accounts, readOnly, lockDirectory, resend, ...others } = { ...args };
    const plain = Object.entries(others).map(([setting, value]) => [setting, toStringOutput(value)] as const);
    const inputs = {
      ...Object.fromEntries(plain),
      // For an explicit provider, the engine doesn't pass the stack's configuration to the plugin.
      readOnly: toStringOutput(readOnly, getStackSetting("readOnly")),
      lockDirectory: toStringOutput(lockDirectory, getStackSetting("lockDirectory")),
      resend: toStringOutput(resend, getStackSetting("resend")),
      apiKey: apiKey && pulumi.secret(apiKey),
      accounts: accounts && pulumi.secret(pulumi.jsonStringify(accounts)),
    };
    const resumeStacks = pauseStackTraces();
    try {
      super("monitoring", name, inputs, options);
    } finally {
      resumeStacks();
    }
  }
}

/** Returns the setting in the stack's configuration, or undefined if the environment overrides it. */
function getStackSetting(setting: keyof typeof variables): string | undefined {
  return process.env[variables[setting]] ? undefined : new pulumi.Config(namespace).get(setting);
}

/** Converts an argument to a string, because the engine passes provider arguments as strings. */
function toStringOutput(
  argument: pulumi.Input<string | number | boolean | object> | undefined,
  preset?: string,
): pulumi.Output<string | undefined> {
  return pulumi.output({ argument }).apply(({ argument }) => {
    // A program in JavaScript may pass null.
    const value = argument ?? preset;
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** How to handle a change to a public update. */
export const IncidentUpdateOnChange = {
  /** Fail the run without posting. */
  Refuse: "refuse",
  /** Edit the update in place. Only on pages with components. */
  Edit: "edit",
} as const;

/** How to handle a change to a public entry of a timeline. */
export const IncidentTimelineOnChange = {
  /** Fail the run without posting. */
  Refuse: "refuse",
  /** Edit the update in place. Only on pages with components. */
  Edit: "edit",
} as const;

/** Whether a failed audit fails the run. */
export const AlertChannelAuditEnforcement = {
  /** Errors and channels that can't be evaluated fail the run. */
  Mandatory: "mandatory",
  /** Findings are only reported. */
  Advisory: "advisory",
} as const;

/** How certain it is that a value is a credential. */
export const FindingConfidence = {
  /** The value's name, its position or a vendor's prefix identifies it as a credential. */
  Certain: "certain",
  /** The value looks random. */
  Likely: "likely",
} as const;

/** Severity of an audit finding. */
export const FindingSeverity = {
  /** Fails the audit. */
  Error: "error",
  /** Doesn't fail the audit. */
  Warning: "warning",
} as const;

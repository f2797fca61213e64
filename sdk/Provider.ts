/**
 * Declares the explicit provider of the native plugin, and this package's own values as constants, which the programs that
 * `pulumi import` and `pulumi convert` print use.
 */
import * as pulumi from "@pulumi/pulumi";
import { namespace, variables } from "../provider/connection/environment";
import { pauseStacks } from "./program";
import { assertPluginDeclared } from "./registration";

/** An additional account of a {@link Provider}. */
export interface ProviderAccount {
  /** API key of the account. */
  apiKey: pulumi.Input<string>;
  /** Account of the requests. Default: the account of the key. */
  accountId?: pulumi.Input<string | undefined>;
  /** Base URL. Default: that of the provider. */
  baseUrl?: pulumi.Input<string | undefined>;
}

/**
 * The connection settings of a {@link Provider}. An argument overrides the environment variable of the setting, except as
 * `readOnly` and `resend` say.
 * In TypeScript and JavaScript, `readOnly`, `lockDirectory` and `resend` default to `monitoring:readOnly`,
 * `monitoring:lockDirectory` and `monitoring:resend` of the stack when their environment variable isn't set.
 */
export interface ProviderArgs {
  /** API key; always stored as a secret. Default: `MONITORING_API_KEY`. */
  apiKey?: pulumi.Input<string | undefined>;
  /** Base URL: https, or http for loopback hosts. Default: `MONITORING_BASE_URL`. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** Account of the requests. Default: `MONITORING_ACCOUNT_ID`, otherwise the account of the key. */
  accountId?: pulumi.Input<string | undefined>;
  /** Header that names the account. Default: `MONITORING_ACCOUNT_HEADER`, otherwise `x-service-account`. */
  accountHeader?: pulumi.Input<string | undefined>;
  /**
   * Time limit of one attempt, in milliseconds. Default: `MONITORING_TIMEOUT_MS`, otherwise 15,000.
   *
   * @integer
   */
  timeoutMs?: pulumi.Input<number | undefined>;
  /**
   * Time limit of one call with all its attempts and waits, in milliseconds. Default: `MONITORING_DEADLINE_MS`, otherwise
   * 60,000.
   *
   * @integer
   */
  deadlineMs?: pulumi.Input<number | undefined>;
  /**
   * Rejects every write before it is sent. `false` doesn't override the environment variable. Default:
   * `MONITORING_READ_ONLY`, otherwise false.
   */
  readOnly?: pulumi.Input<boolean | undefined>;
  /**
   * Absolute path of the folder of the locks that serialize the publishing processes of a machine. Default: `MONITORING_LOCK_DIRECTORY`,
   * otherwise `monitoring-locks` in `PULUMI_HOME` or `~/.pulumi`.
   */
  lockDirectory?: pulumi.Input<string | undefined>;
  /** Whether posts carry an id of this package. Default: `MONITORING_CLIENT_IDS`, otherwise true. */
  clientIds?: pulumi.Input<boolean | undefined>;
  /**
   * Codes of questions that earlier runs printed, separated by spaces; each permits one post of the update that the question
   * is about. A code answers no other question. Those of the variable count, too. Default: `MONITORING_RESEND`.
   */
  resend?: pulumi.Input<string | undefined>;
  /** Ids of alert channels, by name. Default: `MONITORING_ALERT_CHANNELS`. */
  alertChannels?: pulumi.Input<Record<string, pulumi.Input<string | number>> | undefined>;
  /** Additional accounts, by name; always stored as a secret. */
  accounts?: pulumi.Input<Record<string, pulumi.Input<ProviderAccount>> | undefined>;
}

/**
 * An explicit provider for resources of the native plugin, selected with the option `provider`. Without it, resources use
 * the configuration of the stack. Invalid arguments fail the run, with all problems.
 *
 * @example
 * const eu = new Provider("eu", { apiKey: config.requireSecret("euKey"), baseUrl: "https://api.example.com" });
 * new IncidentUpdate("known", { incidentId, status: "IDENTIFIED", description }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    assertPluginDeclared();
    const { apiKey, accounts, readOnly, lockDirectory, resend, ...others } = { ...args };
    const plain = Object.entries(others).map(([setting, value]) => [setting, asString(value)] as const);
    const inputs = {
      ...Object.fromEntries(plain),
      // The plugin doesn't get the stack's configuration for an explicit provider.
      readOnly: asString(readOnly, stackSetting("readOnly")),
      lockDirectory: asString(lockDirectory, stackSetting("lockDirectory")),
      resend: asString(resend, stackSetting("resend")),
      apiKey: apiKey && pulumi.secret(apiKey),
      accounts: accounts && pulumi.secret(pulumi.jsonStringify(accounts)),
    };
    const resumeStacks = pauseStacks();
    try {
      super("monitoring", name, inputs, options);
    } finally {
      resumeStacks();
    }
  }
}

/** The setting in the stack's configuration, unless the environment overrides it. */
function stackSetting(setting: keyof typeof variables): string | undefined {
  return process.env[variables[setting]] ? undefined : new pulumi.Config(namespace).get(setting);
}

/** The engine passes provider arguments as strings. */
function asString(
  argument: pulumi.Input<string | number | boolean | object> | undefined,
  preset?: string,
): pulumi.Output<string | undefined> {
  return pulumi.output({ argument }).apply(({ argument }) => {
    // A program in JavaScript may pass null.
    const value = argument ?? preset;
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** What happens when the content of an update changes. */
export const IncidentUpdateOnChange = {
  /** A new update is posted. */
  Post: "post",
  /** The run fails, and nothing is posted. */
  Refuse: "refuse",
  /** The update is edited, on a page with components. */
  Edit: "edit",
} as const;

/** What happens when the content of a public entry of a timeline changes. */
export const IncidentTimelineOnChange = {
  /** The run fails, and nothing is posted. */
  Refuse: "refuse",
  /** The update is edited, on a page with components. */
  Edit: "edit",
} as const;

/** Whether an audit that doesn't pass fails the run. */
export const AlertChannelAuditEnforcement = {
  /** Errors, and channels that can't be evaluated, fail the run. */
  Mandatory: "mandatory",
  /** The findings are only reported. */
  Advisory: "advisory",
} as const;

/** How sure a finding of a credential is. */
export const FindingConfidence = {
  /** It is a credential by its name, its place, or the prefix of a vendor. */
  Certain: "certain",
  /** It looks random. */
  Likely: "likely",
} as const;

/** Severity of a finding of an audit. */
export const FindingSeverity = {
  /** Fails the audit. */
  Error: "error",
  /** Is only reported. */
  Warning: "warning",
} as const;

import * as pulumi from "@pulumi/pulumi";
import { assertPluginDeclared } from "../pluginDeclared";

/** How a {@link Provider} reaches the service. An argument wins over the environment variable of the same setting. */
export interface ProviderArgs {
  /** API key; always stored as a secret. Default: `MONITORING_API_KEY`. */
  apiKey?: pulumi.Input<string>;
  /** Base address: https, or plain http on loopback. Default: `MONITORING_BASE_URL`. */
  baseUrl?: pulumi.Input<string>;
  /** Account that the requests are for. Default: `MONITORING_ACCOUNT_ID`, otherwise the key's own account. */
  accountId?: pulumi.Input<string>;
  /** Header that names the account. Default: `x-service-account`. */
  accountHeader?: pulumi.Input<string>;
  /** Longest time of one attempt, in milliseconds. Default: 15,000. */
  timeoutMs?: pulumi.Input<number>;
  /** Longest time of one call with all its attempts, in milliseconds. Default: 60,000. */
  deadlineMs?: pulumi.Input<number>;
  /** Most requests that leave within any minute. Default: no limit. */
  maxRequestsPerMinute?: pulumi.Input<number>;
  /** Refuses every write before it is sent. Default: false. */
  readOnly?: pulumi.Input<boolean>;
  /** Folder of the locks by which the processes of this machine publish one after the other. */
  lockDirectory?: pulumi.Input<string>;
  /** Ids of alert channels, by name. */
  alertChannels?: pulumi.Input<Record<string, pulumi.Input<string | number>>>;
  /** Further accounts, by name; always stored as a secret. */
  accounts?: pulumi.Input<
    Record<
      string,
      pulumi.Input<{
        /** API key of the account. */
        apiKey: pulumi.Input<string>;
        /** Account that the requests are for. Default: the key's own account. */
        accountId?: pulumi.Input<string>;
        /** Base address. Default: that of the provider. */
        baseUrl?: pulumi.Input<string>;
      }>
    >
  >;
}

/**
 * The account that resources of the native plugin belong to, when they name it with the option `provider`. Without
 * one, the configuration of the stack counts.
 *
 * @throws InvalidInputError for arguments that can't be right, all mistakes at once.
 *
 * @example
 * const eu = new Provider("eu", { apiKey: config.requireSecret("euKey"), baseUrl: "https://api.example.com" });
 * new IncidentUpdate("known", { incidentId, status: "IDENTIFIED", description }, { provider: eu });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    assertPluginDeclared();
    const { apiKey, accounts, ...others } = { ...args };
    const plain = Object.entries(others).map(([setting, value]) => [setting, asText(value)] as const);
    super(
      "monitoring",
      name,
      {
        ...Object.fromEntries(plain),
        apiKey: apiKey && pulumi.secret(apiKey),
        accounts: accounts && pulumi.secret(pulumi.jsonStringify(accounts)),
      },
      options,
    );
  }
}

/** A provider's arguments travel as strings. */
function asText(
  value: pulumi.Input<string | number | boolean | object> | undefined,
): pulumi.Output<string | undefined> {
  return pulumi
    .output({ value })
    .apply(({ value: known }) =>
      known === undefined || typeof known === "string" ? known : JSON.stringify(known),
    );
}

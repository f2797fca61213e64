import * as pulumi from "@pulumi/pulumi";
import type { UpdateStatus } from "../../provider/client/schemas/enums";
import { providerText, typeToken } from "../../provider/dynamic/text";
import { asRead } from "../../provider/lifecycles/words";
import { warnOfPlainKey } from "../connection";
import { behindGates } from "../gates";
import { perRun } from "../run";
import { refusal } from "./refusal";

/** What a program declares of an update (section 4.1 of the service's API). */
export interface IncidentUpdateArgs {
  /** Id of the status-page incident whose history the update stands in. Changing it posts a new update. */
  incidentId: pulumi.Input<string>;
  /** State that the update announces. Changing it posts a new update. */
  status: pulumi.Input<UpdateStatus>;
  /** Text that the public reads; white space around it is trimmed. Changing it posts a new update. */
  description: pulumi.Input<string>;
  /** Whether to mail every subscriber when the update is posted. Default: false. */
  notifySubscribers?: pulumi.Input<boolean>;
  /** Date that the public sees, as an ISO 8601 date-time. Default: when it is posted. Changing it posts a new update. */
  publicIncidentUpdateDate?: pulumi.Input<string>;
  /** Which one it is, where the same words stand in the history several times. Default: 1. */
  occurrence?: pulumi.Input<number>;
  /** Whether changed words are posted as a new update, or refused. Default: `post`. */
  onChange?: pulumi.Input<"post" | "refuse">;
  /** What to do about a post that got no answer and isn't found in the incident. Default: `fail`. */
  onUnconfirmed?: pulumi.Input<"fail" | "resend">;
  /** Name of the account in `monitoring:accounts`. Default: the account of `monitoring:apiKey`. */
  account?: pulumi.Input<string>;
}

/** An update as the service shows it. */
export interface PublishedIncidentUpdate {
  status?: string;
  description: string;
  publicIncidentUpdateDate?: string | null;
  notifySubscribers?: boolean | null;
}

/**
 * Declares that an update stands in the history of a status-page incident. It is posted once, or adopted when it
 * already stands there, and never again. It is public at once and can't be taken back: removing the resource
 * forgets it, and changed words are a new update.
 */
export class IncidentUpdate extends pulumi.CustomResource {
  /** Id of the status-page incident. */
  declare readonly incidentId: pulumi.Output<string>;
  /** State that the update announces, as declared. */
  declare readonly status: pulumi.Output<UpdateStatus>;
  /** Text of the update, as declared. */
  declare readonly description: pulumi.Output<string>;
  /** Whether subscribers were to be mailed, as declared. */
  declare readonly notifySubscribers: pulumi.Output<boolean>;
  /** Date that the public was to see, as declared. */
  declare readonly publicIncidentUpdateDate: pulumi.Output<string | undefined>;
  /** Which one it is, where the same words stand in the history several times. */
  declare readonly occurrence: pulumi.Output<number>;
  /** Whether changed words are posted as a new update, or refused. */
  declare readonly onChange: pulumi.Output<"post" | "refuse">;
  /** What to do about a post that got no answer and isn't found in the incident. */
  declare readonly onUnconfirmed: pulumi.Output<"fail" | "resend">;
  /** Name of the account in `monitoring:accounts`. */
  declare readonly account: pulumi.Output<string | undefined>;
  /** Identifier of the update, made by the service. */
  declare readonly incidentUpdateId: pulumi.Output<string>;
  /** When the service recorded the update. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The update as the service shows it since the last refresh; it may have been edited there by hand. */
  declare readonly published: pulumi.Output<PublishedIncidentUpdate>;
  /** Whether the update, or its incident, is gone from the service. It is not posted again. */
  declare readonly missing: pulumi.Output<boolean>;

  /**
   * An update that stands on the service already, whoever posted it. The stack only reads it.
   *
   * @param id `<incidentId>/<incidentUpdateId>`.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: Pick<IncidentUpdateArgs, "account"> = {},
    options: pulumi.CustomResourceOptions = {},
  ): IncidentUpdate {
    return new IncidentUpdate(name, state, { ...options, id });
  }

  constructor(name: string, args: IncidentUpdateArgs, options?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(name: string, args: Partial<IncidentUpdateArgs>, options: pulumi.CustomResourceOptions);
  constructor(
    name: string,
    args: Partial<IncidentUpdateArgs> = {},
    options: pulumi.CustomResourceOptions = {},
  ) {
    warnOfPlainKey();
    if (options.import !== undefined) {
      throw refusal(
        "IncidentUpdate",
        name,
        "an update that exists can't be imported. Read it with IncidentUpdate.get(name, id), or declare its words: it is then adopted.",
      );
    }
    if (options.id === undefined) refuseTwins(name, args);
    super(
      typeToken("IncidentUpdate"),
      name,
      { ...everyOutput, ...args, __provider: providerText("IncidentUpdate") },
      // What is published repeats the description, which may be a secret.
      pulumi.mergeOptions(behindGates(options), {
        additionalSecretOutputs: pulumi.Output.isInstance(args.description) ? ["published"] : [],
      }),
    );
  }
}

/** Pulumi gives a program only those outputs whose names it was told of. */
const everyOutput = {
  incidentId: undefined,
  status: undefined,
  description: undefined,
  notifySubscribers: undefined,
  publicIncidentUpdateDate: undefined,
  occurrence: undefined,
  onChange: undefined,
  onUnconfirmed: undefined,
  account: undefined,
  incidentUpdateId: undefined,
  createdAt: undefined,
  published: undefined,
  missing: undefined,
} satisfies Record<Exclude<keyof IncidentUpdate, keyof pulumi.CustomResource>, undefined>;

const declaredWords = perRun(() => new Map<string, string>());

/** The same words twice would be one update; where the values are known only later, the provider refuses. */
function refuseTwins(name: string, args: Partial<IncidentUpdateArgs>): void {
  const { incidentId, status, description, publicIncidentUpdateDate, occurrence = 1, account } = args;
  if (typeof incidentId !== "string" || typeof status !== "string" || typeof description !== "string") return;
  if (pulumi.Output.isInstance(occurrence) || pulumi.Output.isInstance(publicIncidentUpdateDate)) return;
  const words = JSON.stringify([
    account,
    incidentId,
    status,
    asRead(description),
    publicIncidentUpdateDate,
    occurrence,
  ]);
  const twin = declaredWords().get(words);
  if (twin !== undefined) {
    throw refusal(
      "IncidentUpdate",
      name,
      `"${twin}" declares the same words on the same incident. To post them twice, give this one occurrence: 2 and dependsOn.`,
    );
  }
  declaredWords().set(words, name);
}

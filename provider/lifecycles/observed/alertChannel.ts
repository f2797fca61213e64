/** `AlertChannel`: observes a target of alerts. The state stores facts about its credentials, never their values. */
import { channelIdProblem } from "../../api/path";
import { documentedConfig } from "../../credentials/documentedConfig";
import { fingerprintsOf, redactConfig } from "../../credentials/redactConfig";
import { alertChannelOutputs } from "../../expectations/expectableOutputs";
import { documented } from "../../values/documentedFields";
import { account, idOf } from "../fieldFacts";
import { undefinedIfAbsent } from "../../connection/undefinedIfAbsent";
import { expectOf, observedLifecycle } from "./observedLifecycle";

export const alertChannel = observedLifecycle({
  type: "AlertChannel",
  idField: "channelId",
  fields: {
    channelId: idOf("an alert channel", channelIdProblem),
    expect: expectOf(alertChannelOutputs),
    account,
  },

  async read(id, connection) {
    const { reads, origin } = connection;
    const channel = await undefinedIfAbsent(reads.alertChannel(id));
    return (
      channel &&
      documented(alertChannelOutputs, {
        ...channel,
        config: documentedConfig({ ...channel, config: redactConfig(channel, origin.accountId) }),
      })
    );
  },

  // A release may derive other facts from the same credential, such as a service at a host that it didn't know before.
  compared: (outputs) => ({ ...outputs, config: fingerprintsOf(outputs["config"]) }),
});

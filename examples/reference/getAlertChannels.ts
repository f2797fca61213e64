// Reads several alert channels and lists the channels that do not send failures.
import { getAlertChannelsOutput } from "pulumi-monitoring-service";

const { alertChannels } = getAlertChannelsOutput({ ids: [4101, 4103, 4107] });

export const types = alertChannels.apply((channels) => channels.map(({ type }) => type));
export const silent = alertChannels.apply((channels) =>
  channels.filter(({ sendFailure }) => sendFailure === false).map(({ id }) => id),
);

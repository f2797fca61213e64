// Reads one alert channel. Its credentials are fingerprints; equal credentials have equal fingerprints.
import { getAlertChannelOutput } from "pulumi-monitoring-service";

const hook = getAlertChannelOutput({ channelId: 4106 });

export const type = hook.type;
export const target = hook.config.apply(({ name, url }) => ({ name, url }));

import { Connections } from "../../provider/connection";
import { apiKey } from "../client/services";

/** Connections to one service, as where no Pulumi configuration is read. @param more Other variables of the environment. */
export const connectionsTo = ({ url }: { url: string }, more: Readonly<Record<string, string>> = {}) =>
  new Connections(undefined, { MONITORING_API_KEY: apiKey, MONITORING_BASE_URL: url, ...more });

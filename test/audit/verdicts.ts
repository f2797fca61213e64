/** What an audit says of the credentials of one channel. */
import { redactConfig } from "../../provider/credentials";
import { type AlertChannel, type Rules } from "../../audit";
import { audit, channel } from "./channels";

/** `rule field` of each finding on credentials, and `? rule field` where a rule on credentials or hooks can't tell. */
export function verdictsOn(type: string, config: Record<string, unknown>, judged: Rules): string[] {
  const redacted: AlertChannel = channel({ type, config: redactConfig({ type, config }, "acme") });
  const { findings, notEvaluable } = audit([redacted], judged);
  const line = ({ rule, field }: { rule: string; field: string }) => `${rule} ${field}`;
  return [...findings.map(line), ...notEvaluable.map((one) => `? ${line(one)}`)];
}

export interface Hook {
  url: string;
  /** `name: value`. */
  header?: string;
  template?: string;
}

export function configOf({ url, header, template }: Hook): Record<string, unknown> {
  const [key = "", value = ""] = header?.split(/: (.*)/s) ?? [];
  return {
    name: "hook",
    method: "POST",
    url,
    ...(header !== undefined && { headers: [{ key, value }] }),
    ...(template !== undefined && { template }),
  };
}

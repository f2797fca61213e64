import type { AuditedChannel } from "../channels/channel";
import { isReferenced } from "../definition/notEvaluable";
import { defineRule, type Outcome } from "../definition/rule";
import { placeholdersIn } from "./placeholder";

/** E.164: `+`, country code and number; numbers of North America have ten digits after their 1. */
const phoneNumber = /^\+(?:1[2-9]\d{9}|[2-9]\d{6,14})$/;
/** RFC 5321, at a host of the internet: nothing delivers to root@localhost from elsewhere. */
const oneAddress = /^[^\s@,;<>"()]+@[^\s@,;<>"()]+\.[^\s@,;<>"()]+$/;
/** Of RFC 5321, with its local part and its domain. */
const longestAddress = 320;
const regions = ["EU", "US"];
const priorities = ["P1", "P2", "P3", "P4", "P5"];

export const validSettings = defineRule({
  id: "valid-settings",
  title: "Settings have a form that their receiver accepts",
  why: "A number without a country code can't be called (E.164), a list of addresses isn't one (RFC 5321), Opsgenie knows the regions EU and US and the priorities P1 to P5, and a GET request has no body for a template (RFC 9110). The service itself documents none of these, and may drop such an alert without an error.",
  fix: "Save the channel with such a value, and send a test alert.",
  asCode:
    "Correct the value where the channel is declared; a type of your language, such as a union of literals, keeps it correct.",
  offWhen: "Turn it off if your deployment of the service accepts other forms, such as lists of addresses.",
  check: () => (channel) => {
    const found = [...settingsOf(channel)].filter(({ value }) => value !== undefined && value !== null);
    if (found.length === 0) return undefined;
    return found.flatMap(({ field, value, isValid, expected }): Outcome[] => {
      if (typeof value === "string" && value.includes("{{"))
        return [{ field, reason: isReferenced("value") }];
      return isValid(String(value)) ? [] : [{ field, actual: String(value), expected }];
    });
  },
});

interface Setting {
  readonly field: string;
  readonly value: unknown;
  readonly isValid: (value: string) => boolean;
  readonly expected: string;
}

function* settingsOf(channel: AuditedChannel): Generator<Setting> {
  const { type, config, credentials } = channel;
  yield {
    field: "config.address",
    value: placeholdersIn(channel).includes("address") ? undefined : config.address,
    isValid: (value) => value.length <= longestAddress && oneAddress.test(value.trim()),
    expected: "one address, such as ops@acme.example",
  };
  yield {
    field: "config.number",
    value: config.number,
    isValid: (value) => phoneNumber.test(value),
    expected: "one E.164 number, such as +12025550143",
  };
  if (type === "OPSGENIE") {
    yield oneOf("config.region", config.region, regions);
    yield oneOf("config.priority", config.priority, priorities);
  }
  if (type === "WEBHOOK" && credentials.template)
    yield {
      field: "config.method",
      value: config.method,
      isValid: (value) => !/^(?:get|head)$/i.test(value),
      expected: "POST, PUT or PATCH: a template is sent as the body",
    };
}

function oneOf(field: string, value: unknown, values: readonly string[]): Setting {
  return { field, value, isValid: (one) => values.includes(one), expected: `one of ${values.join(", ")}` };
}

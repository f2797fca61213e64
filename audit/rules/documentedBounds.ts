import { sslExpiryThresholdBounds } from "../../provider/api/alertChannel";
import type { AuditedChannel } from "../channel";
import { defineRule, type Outcome } from "../rule";
import { placeholdersIn } from "./placeholder";

const { least, most } = sslExpiryThresholdBounds;

/** `+`, country code and number; numbers of North America have ten digits after their 1. */
const phoneNumber = /^\+(?:1[2-9]\d{9}|[2-9]\d{6,14})$/;
/** At a host of the internet: nothing delivers to root@localhost from elsewhere. */
const oneAddress = /^[^\s@,;<>"()]+@[^\s@,;<>"()]+\.[^\s@,;<>"()]+$/;
const priorities = ["P1", "P2", "P3", "P4", "P5"];
const regions = ["EU", "US"];

export const documentedBounds = defineRule({
  id: "documented-bounds",
  title: "Settings have values that the service documents",
  why: "The service drops what it doesn't expect, mostly without an error: a number without a country code is never called, a list of addresses isn't one, a priority that doesn't exist pages nobody, and GET sends no template.",
  fix: "Save the channel with a documented value: one address, E.164 numbers such as +12025550143, the regions EU and US, the priorities P1 to P5, 1 to 30 days, and POST for a template.",
  asCode:
    "Correct the value where the channel is declared; a type of your language, such as a union of literals, keeps it correct.",
  offWhen: "Don't turn it off; waive a value that your deployment of the service documents in addition.",
  severity: "error",
  check: () => (channel) => {
    const found = [...settingsOf(channel)].filter(({ value }) => value !== undefined && value !== null);
    if (found.length === 0) return undefined;
    return found.flatMap(({ field, value, isValid, expected }): Outcome[] => {
      if (typeof value === "string" && value.includes("{{"))
        return [{ field, reason: "is a reference to a secret, so its value is unknown" }];
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
  const { type, config, credentials, sslExpiryThreshold } = channel;
  yield {
    field: "sslExpiryThreshold",
    value: sslExpiryThreshold,
    isValid: (value) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most,
    expected: `a whole number from ${least} to ${most}`,
  };
  yield {
    field: "config.address",
    value: placeholdersIn(channel).includes("address") ? undefined : config.address,
    isValid: (value) => oneAddress.test(value.trim()),
    expected: "one address, such as ops@acme.example",
  };
  yield {
    field: "config.number",
    value: config.number,
    isValid: (value) => phoneNumber.test(value),
    expected: "an E.164 number, such as +12025550143",
  };
  if (type === "OPSGENIE") {
    yield {
      field: "config.region",
      value: config.region,
      isValid: (value) => regions.includes(value),
      expected: regions.join(" or "),
    };
    yield {
      field: "config.priority",
      value: config.priority,
      isValid: (value) => priorities.includes(value),
      expected: priorities.join(", "),
    };
  }
  if (type === "WEBHOOK" && credentials.template)
    yield {
      field: "config.method",
      value: config.method,
      isValid: (value) => !/^(?:get|head)$/i.test(value),
      expected: "POST, PUT or PATCH: a template is sent as the body",
    };
}

"use strict";

/** What each value means, in the order in which it is shown. @type {Record<string, Record<string, string>>} */
const descriptions = {
  UpdateStatus: {
    INVESTIGATING: "The cause is not known yet.",
    IDENTIFIED: "The cause is known, and a fix is under way.",
    MONITORING: "A fix is in place and is being watched.",
    RESOLVED: "The incident is over.",
  },
  Severity: {
    CRITICAL: "Worst of the severities.",
    MAJOR: "Less severe than `CRITICAL`.",
    MEDIUM: "Less severe than `MAJOR`.",
    MINOR: "Least of the severities.",
  },
  Impact: {
    MAINTENANCE: "Planned maintenance.",
    MAJOR: "A major impact.",
    MINOR: "A minor impact.",
  },
  AlertChannelType: {
    EMAIL: "Sends an email.",
    SLACK: "Posts to a Slack channel.",
    WEBHOOK: "Sends an HTTP request.",
    SMS: "Sends a text message.",
    PAGERDUTY: "Raises an event in PagerDuty.",
    OPSGENIE: "Raises an alert in Opsgenie.",
    CALL: "Calls a phone number.",
  },
  IncidentUpdateOnChange: {
    post: "Posts the changed words as a new update.",
    refuse: "Fails, and posts nothing.",
  },
  IncidentUpdateOnUnconfirmed: {
    fail: "Fails until the update is found in the incident.",
    resend: "Sends the update again.",
  },
};

/**
 * The values of an enumeration with what they mean.
 * @param {string} name
 * @param {readonly string[]} literals that the code knows
 */
function valuesOf(name, literals) {
  const values = Object.entries(descriptions[name] ?? {});
  const described = values.map(([value]) => value);
  if ([...described].sort().join() !== [...literals].sort().join())
    throw new Error(`scripts/schema/enums.js describes ${described.join(", ")} of ${name}, the code has ${literals.join(", ")}.`);
  return values.map(([value, description]) => ({ value, description }));
}

module.exports = { valuesOf };

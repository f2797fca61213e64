import { notReturned } from "../definition/notEvaluable";
import { defineRule } from "../definition/rule";

export const managedAsCode = defineRule({
  id: "managed-as-code",
  title: "A project manages the channel as code",
  why: "A channel that someone made by hand has no review and no history, and is forgotten when its maker leaves.",
  fix: "Take the channel over into the project of the team that it alerts.",
  asCode:
    "Import the channel into a project of the service's command line, or of another tool that the service knows as its owner.",
  offWhen:
    "Turn it off where the service doesn't say which project owns a channel, or where channels are made by hand on purpose.",
  check:
    () =>
    ({ projectBindings }) => {
      const field = "projectBindings.owner";
      const owner = projectBindings?.owner;
      if (owner === undefined) return [{ field, reason: notReturned }];
      return owner === null ? [{ field, actual: "none", expected: "a project" }] : [];
    },
});

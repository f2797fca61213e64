import { defineRule } from "../definition/rule";
import { checkHook } from "../checks/hook";

export const inspectionHook = defineRule({
  id: "inspection-hook",
  title: "The hook isn't a tool for looking at requests",
  why: "Tools such as webhook.site and tunnels such as ngrok show alerts to whoever has their address, and forget them after days: nobody is alerted.",
  fix: "Point the channel to the service that acts on alerts, or delete it after the test.",
  asCode: "Replace `url` where the channel is declared, and keep test channels in a stack of their own.",
  offWhen:
    "Turn it off for channels that only exist for tests: `overrides: [{ select: { names: [test-*] }, rules: { inspection-hook: off } }]`.",
  severity: "error",
  check: () =>
    checkHook(({ receiver }) =>
      receiver === "inspection"
        ? [
            {
              field: "config.url",
              actual: "a tool for looking at requests",
              expected: "a service that acts on alerts",
            },
          ]
        : [],
    ),
});

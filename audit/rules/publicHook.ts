import { defineRule } from "../rule";
import { hookOf } from "./hook";

const places = { loopback: "an address of the machine itself", private: "a private address" } as const;

export const publicHook = defineRule({
  id: "public-hook",
  title: "The hook can be reached from the internet",
  why: "The service calls hooks from its own machines: a private address leads nowhere, or to a stranger's.",
  fix: "Use the hook's public address.",
  severity: "error",
  check: () =>
    hookOf(({ hostClass }) => {
      if (hostClass === undefined) return undefined;
      if (hostClass === "public") return [];
      return [{ field: "config.url", actual: places[hostClass], expected: "a public address" }];
    }),
});

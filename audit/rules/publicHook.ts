import { defineRule } from "../definition/rule";
import { checkHook, whyHostUnknown } from "../checks/hook";

const addresses = { loopback: "a loopback address", private: "a private address" } as const;

export const publicHook = defineRule({
  id: "public-hook",
  title: "The hook is reachable from the internet",
  why: "The service calls hooks from its own network, where a private address is unreachable or belongs to another host.",
  fix: "Use the hook's public address.",
  asCode:
    "Set `url` to the public address. For a service in a private network, use the private locations of the service if it has them.",
  offWhen: "Turn it off if your deployment of the service runs inside the network of its hooks.",
  severity: "error",
  check: () =>
    checkHook((url) => {
      const { hostClass } = url;
      const reason = whyHostUnknown(url);
      if (reason !== undefined) return [{ field: "config.url", reason }];
      if (hostClass === undefined) return undefined;
      if (hostClass === "public") return [];
      return [{ field: "config.url", actual: addresses[hostClass], expected: "a public address" }];
    }),
});

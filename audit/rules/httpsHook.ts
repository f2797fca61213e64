import { defineRule } from "../rule";
import { hookOf } from "./hook";

export const httpsHook = defineRule({
  id: "https-hook",
  title: "The hook is called over https",
  why: "Over plain http everyone on the way reads the alert and the token in the hook's address.",
  fix: "Use the hook's https address, and replace its token: the old one could be read.",
  severity: "error",
  check: () =>
    hookOf(({ scheme }) =>
      scheme === "https"
        ? []
        : [
            {
              field: "config.url",
              actual: scheme === "http" ? "http" : "not a web address",
              expected: "https",
            },
          ],
    ),
});

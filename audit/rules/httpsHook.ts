import { defineRule } from "../rule";
import { checkHook } from "./hook";

export const httpsHook = defineRule({
  id: "https-hook",
  title: "The hook is called over https",
  why: "Over plain http, anyone on the network path can read the alert and the token in the hook's URL.",
  fix: "Use the hook's https URL, and replace its token: the old one may have been read.",
  severity: "error",
  check: () =>
    checkHook(({ scheme }) =>
      scheme === "https"
        ? []
        : [
            {
              field: "config.url",
              actual: scheme === "http" ? "http" : "not an http URL",
              expected: "https",
            },
          ],
    ),
});

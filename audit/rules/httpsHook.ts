import { defineRule } from "../definition/rule";
import { checkHook } from "../checks/hook";

export const httpsHook = defineRule({
  id: "https-hook",
  title: "The hook is called over https",
  why: "Over plain http, anyone on the network path can read the alert and the token in the hook's URL.",
  fix: "Use the hook's https URL, and replace its token: the old one may have been read.",
  asCode: "Change `http://` to `https://` in `url`, and rotate its token.",
  offWhen: "Don't turn it off; waive it for a hook that moves, until the date of the move.",
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

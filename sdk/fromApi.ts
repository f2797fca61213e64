/** From the API's status pages to those of {@link types}, for a loop that can't wait for an import at each of them. */
import type * as api from "../provider/client/schemas";
import type * as documentedTypes from "./documented";
import type * as types from "./types";

let documented: typeof documentedTypes | undefined;

/** Loads zod, so it is called together with what loads the client. */
export async function loadDocumented(): Promise<void> {
  documented ??= await import("./documented");
}

/** @throws Error before {@link loadDocumented} is done. */
export function statusPage(found: api.StatusPage): types.StatusPage {
  if (!documented) throw new Error("internal error in pulumi-monitoring-service; please report it");
  return documented.statusPage(found);
}

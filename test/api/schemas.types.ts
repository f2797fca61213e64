/** Compiled, not run: each interface of the API and its schema have the same fields of the same types. */
import { type z } from "zod";
import type * as api from "../../provider/api";

type KnownKeys<T> = keyof { [K in keyof T as string extends K ? never : K]: true };
type Within<A, B> = [A, KnownKeys<A>] extends [B, KnownKeys<B>] ? true : false;
type Same<Schema extends z.ZodType, Interface> =
  Within<z.output<Schema>, Interface> extends true ? Within<Interface, z.output<Schema>> : false;
type Prove<All extends true[]> = All;

export type Proven = Prove<
  [
    Same<typeof api.statusPageService, api.StatusPageService>,
    Same<typeof api.statusPageIncidentUpdate, api.StatusPageIncidentUpdate>,
    Same<typeof api.statusPageIncident, api.StatusPageIncidentSummary>,
    Same<typeof api.statusPageIncident, api.StatusPageIncident>,
    Same<typeof api.newIncidentUpdate, api.NewIncidentUpdate>,
    Same<typeof api.statusPageCard, api.StatusPageCard>,
    Same<typeof api.statusPageThemeColors, api.StatusPageThemeColors>,
    Same<typeof api.statusPage, api.StatusPage>,
    Same<typeof api.statusPageList, api.StatusPageList>,
    Same<typeof api.dashboardIncidentUpdate, api.DashboardIncidentUpdate>,
    Same<typeof api.incident, api.Incident>,
    Same<typeof api.alertChannelSubscription, api.AlertChannelSubscription>,
    Same<typeof api.alertChannel, api.AlertChannel>,
  ]
>;

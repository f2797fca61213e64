/** Sample dashboard incidents: open, resolved, planned, and without start and end. */
import type { SandboxIncident } from "../contract";
import { days, hours, type SeedValues } from "./seedValues";
import { wellKnown } from "./wellKnown";

type Update = SandboxIncident["incidentUpdates"][number];

interface Row {
  id: string;
  name: string;
  impact: SandboxIncident["impact"];
  dashboardId: number;
  /** Minutes ago; null where it isn't set. */
  started: number | null;
  stopped: number | null;
  /** Whether these two times carry a zone, as the service writes them since 2026. */
  zoned?: boolean;
  /** Oldest first. */
  updates: [minutesAgo: number, status: Update["status"], description: string][];
}

const ids = wellKnown.incidents;

const quillmarket: Row[] = [
  {
    id: ids.paymentErrors,
    name: "Card payments fail in North America",
    impact: "MAJOR",
    dashboardId: 8801,
    started: hours(3),
    stopped: null,
    updates: [
      [
        hours(3) - 4,
        "INVESTIGATING",
        "The decline rate of cards is 11 %, ten times what is usual. The on-call engineer is looking.",
      ],
      [hours(2), "IDENTIFIED", "One of two processors answers slowly since its release of this morning."],
      [hours(1), "IDENTIFIED", "Half of the traffic runs over the second processor now."],
    ],
  },
  {
    id: ids.databaseUpgrade,
    name: "Upgrade of the order database",
    impact: "MAINTENANCE",
    dashboardId: 8802,
    started: days(6) + hours(2),
    stopped: days(6),
    zoned: true,
    updates: [
      [
        days(9),
        "IDENTIFIED",
        "Planned: the order database is upgraded at night. Orders are accepted throughout.",
      ],
      [days(6) + hours(2), "MAINTENANCE", "The upgrade has begun."],
      [days(6), "RESOLVED", "The upgrade is complete. No order was lost or late."],
    ],
  },
  {
    id: ids.imageCache,
    name: "Product photos load slowly",
    impact: "MINOR",
    dashboardId: 8801,
    started: days(15) + 95,
    stopped: days(15),
    updates: [
      [days(15) + 90, "INVESTIGATING", "Photos take up to five seconds in Asia Pacific."],
      [days(15), "RESOLVED", "A cache node was full; it has been replaced."],
    ],
  },
  {
    id: ids.warehouseMove,
    name: "Move of the Rotterdam warehouse",
    impact: "MAINTENANCE",
    dashboardId: 8803,
    started: null,
    stopped: null,
    updates: [[days(2), "IDENTIFIED", "The date of the move is not fixed yet."]],
  },
];

const labs: Row[] = [];

export const incidentRows = { quillmarket, labs };

export function incidents(rows: Row[], values: SeedValues): SandboxIncident[] {
  const startOrStop = (minutesAgo: number | null, zoned: boolean) => {
    if (minutesAgo === null) return null;
    return zoned ? values.ago(minutesAgo) : values.ago(minutesAgo).slice(0, 19).replace("T", " ");
  };
  return rows.map(({ started, stopped, zoned = false, updates, ...row }) => {
    const times = updates.map(([minutesAgo]) => minutesAgo);
    const newestFirst = updates.toReversed().map(([minutesAgo, status, description]) => ({
      id: values.id(`update ${row.id}/${description}`),
      status,
      description,
      incidentId: row.id,
      created_at: values.ago(minutesAgo),
      updated_at: null,
    }));
    return {
      ...row,
      incidentUpdates: newestFirst,
      startedAt: startOrStop(started, zoned),
      stoppedAt: startOrStop(stopped, zoned),
      created_at: values.ago(Math.max(...times)),
      updated_at: updates.length > 1 ? values.ago(Math.min(...times)) : null,
    };
  });
}

/** Writes a report as JSON. */
import { toSafeJson } from "../../provider/texts";
import { createReportFormat } from "./reportText";

export const json = createReportFormat(".json", (report) => [`${toSafeJson(report)}\n`]);

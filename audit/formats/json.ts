/** Writes a report as JSON. */
import { escapedJson } from "../../provider/texts";
import { reportFormat } from "./reportText";

export const json = reportFormat(".json", (report) => `${escapedJson(report)}\n`);

// Finds a status page by its slug.
import { getStatusPageOutput } from "pulumi-monitoring-service";

const page = getStatusPageOutput({ url: "quillmarket-help-center" });

export const name = page.name;
export const address = page.customDomain;

// Reads all status pages and lists the pages without a custom domain.
import { getStatusPagesOutput } from "pulumi-monitoring-service";

const { statusPages } = getStatusPagesOutput();

export const count = statusPages.length;
export const withoutOwnAddress = statusPages.apply((pages) =>
  pages.filter(({ customDomain }) => !customDomain).map(({ name }) => name),
).length;

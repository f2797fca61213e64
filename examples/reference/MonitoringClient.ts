// Calls the service without Pulumi: counts the open incidents.
import { MonitoringClient } from "pulumi-monitoring-service/client";

const client = new MonitoringClient({
  baseUrl: process.env["MONITORING_BASE_URL"] ?? "",
  apiKey: process.env["MONITORING_API_KEY"] ?? "",
  accountId: process.env["MONITORING_ACCOUNT_ID"],
  accountHeader: process.env["MONITORING_ACCOUNT_HEADER"],
});

async function countOpenIncidents(): Promise<number> {
  const open = new Set<string>();
  for await (const page of client.listStatusPages({ limit: 100 })) {
    for (const { id, lastUpdateStatus } of page.incidents ?? []) {
      if (lastUpdateStatus !== "RESOLVED") open.add(id);
    }
  }
  return open.size;
}

countOpenIncidents().then(console.log, console.error);

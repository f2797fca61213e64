/** An incident whose id is a UUID of version 5, on a service that finds it in capitals, too. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { adapters } from "./adapters";
import { DrivenProject } from "./drivenProject";

const incidentId = "2c5ea4c0-4067-51fe-8bc5-f2e6b1b4f1d2";
let server: Server;
let posts: string[];

/** It ignores ids, and shows an update late. */
beforeEach(async () => {
  posts = [];
  server = createServer((request, response) => {
    const [, found] = /\/v1\/status-pages\/incidents\/([^/]+)/.exec(request.url ?? "") ?? [];
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const isFound = found?.toLowerCase() === incidentId;
      response.writeHead(isFound ? 200 : 404, { "content-type": "application/json" });
      if (request.method === "POST") {
        posts.push(body);
        const update = { ...(JSON.parse(body) as object), id: `upd_${posts.length}` };
        return response.end(JSON.stringify({ ...update, created_at: new Date().toISOString() }));
      }
      const incident = { id: incidentId, name: "Checkout", created_at: "2026-07-01T10:00:00Z" };
      return response.end(JSON.stringify({ ...incident, incidentUpdates: [] }));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
});
afterEach(() => server.close());

it.each(adapters)("is refused in capitals before any post, by the $name adapter", async (adapter) => {
  const { port } = server.address() as AddressInfo;
  const service = { url: `http://127.0.0.1:${port}`, accountId: "a", apiKey: "key-0123456789abcdef" };
  const project = new DrivenProject(adapter, service as never);
  project.env["MONITORING_DEADLINE_MS"] = "3000";
  const words = { status: "MONITORING", description: "We are watching it.", notifySubscribers: true };
  expect(await project.up({ ...words, incidentId })).toMatchObject({ ok: true });
  const capitals = await project.up({ ...words, incidentId: incidentId.toUpperCase() });
  expect(posts).toHaveLength(1);
  expect(capitals).toMatchObject({ ok: false, output: expect.stringContaining(`must be "${incidentId}"`) });
});

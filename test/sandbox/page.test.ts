import { incidentId, ask, news, post, sandboxWith } from "./sandboxes";

const load = async (sandbox: Parameters<typeof ask>[0]) => {
  const response = await ask(sandbox, "/", { apiKey: null });
  return { response, html: await response.text() };
};
const mainOf = (html: string) => /<main[^]*<\/main>/.exec(html)?.[0] ?? "";

test("shows company, state, open incidents with their history, and all status pages, without a key", async () => {
  const sandbox = await sandboxWith();
  const { response, html } = await load(sandbox);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html).toContain("<title>Quillmarket status</title>");
  expect(html).toContain('<html lang="en">');
  expect(html).toContain("5 open incidents");
  for (const { name } of sandbox.data.accounts[0].statusPages) expect(html).toContain(`<span>${name}</span>`);
  const incident = sandbox.incident(incidentId);
  for (const { id } of incident.incidentUpdates) expect(html).toContain(`id="update-${id}"`);
  const [latest, first] = incident.incidentUpdates;
  expect(html).toContain(`${sandbox.mailed(first?.id).toLocaleString("en")} subscribers emailed`);
  expect(sandbox.mailed(latest?.id)).toBe(0);
  expect(html).toContain("no emails");
});

test("shows an update as soon as it is posted", async () => {
  const sandbox = await sandboxWith();
  await post(sandbox, { ...news, notifySubscribers: true });
  const [update] = sandbox.incident(incidentId).incidentUpdates;
  const { html } = await load(sandbox);
  const shown = html.slice(html.indexOf(`id="update-${update?.id}"`));
  const entry = shown.slice(0, shown.indexOf("</li>"));
  expect(entry).toContain("Monitoring");
  expect(entry).toContain(news.description);
  expect(entry).toContain(`${sandbox.mailed(update?.id).toLocaleString("en")} subscribers emailed`);
});

test("shows that all systems are operational without open incidents", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) => {
    for (const { incidentUpdates } of statusPageIncidents)
      for (const update of incidentUpdates) update.status = "RESOLVED";
  });
  const { html } = await load(sandbox);
  expect(html).toContain("All systems operational");
  expect(html).not.toContain("Open incidents");
});

test("escapes text", async () => {
  const sandbox = await sandboxWith();
  const attack = `</p><script>alert("x")</script><img src=x onerror='y'>&amp;`;
  await post(sandbox, { ...news, description: attack });
  sandbox.byHand.editIncident(incidentId, { name: `"><b>${attack}` });
  const main = mainOf((await load(sandbox)).html);
  expect(main).not.toMatch(/<script|<img|<b>/);
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  const text = main.replaceAll(/&([\w#]+);/g, (entity, name: string) => entities[name] ?? entity);
  expect(text).toContain(attack);
});

test("loads nothing from other hosts and runs only its own script and style", async () => {
  const { response, html } = await load(await sandboxWith());
  expect(
    html.match(/(?:href|src|action)="[^"]*"/g)?.filter((link) => !/="(\/|data:image)/.test(link)),
  ).toEqual([]);
  expect(html).not.toMatch(/@import|url\(|\son\w+="|\sstyle="/);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
  expect(html.match(/<(script|style)[^>]*>/g)).toEqual([
    `<style nonce="${nonce}">`,
    `<script nonce="${nonce}">`,
  ]);
});

test("every response has a new nonce and the same content", async () => {
  const sandbox = await sandboxWith();
  const [one, other] = [await load(sandbox), await load(sandbox)];
  expect(one.response.headers.get("content-security-policy")).not.toBe(
    other.response.headers.get("content-security-policy"),
  );
  expect(mainOf(one.html)).toBe(mainOf(other.html));
});

test("works without JavaScript: it reloads by itself and by a link", async () => {
  const { html } = await load(await sandboxWith());
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="5" /></noscript>');
  expect(html).toContain('<a href="/">Reload</a>');
});

test("at most 200 status pages are listed", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.change(({ accounts: [{ statusPages }] }) => {
    const [page] = statusPages;
    if (page !== undefined)
      statusPages.push(...Array.from({ length: 253 }, (_, index) => ({ ...page, id: `page-${index}` })));
  });
  const { html } = await load(sandbox);
  expect(html).toContain("300 status pages");
  expect(html).toContain("and 100 more");
});

test("a request for an icon gets no content", async () => {
  expect((await ask(await sandboxWith(), "/favicon.ico", { apiKey: null })).status).toBe(204);
});

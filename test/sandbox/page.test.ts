import { incidentId, ask, news, post, sandboxWith } from "./sandboxes";

const visit = async (sandbox: Parameters<typeof ask>[0]) => {
  const response = await ask(sandbox, "/", { apiKey: null });
  return { response, html: await response.text() };
};
const mainOf = (html: string) => /<main[^]*<\/main>/.exec(html)?.[0] ?? "";

test("shows company, state, open incidents with their history, and all status pages, without a key", async () => {
  const sandbox = await sandboxWith();
  const { response, html } = await visit(sandbox);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(html).toContain("<title>Quillmarket status</title>");
  expect(html).toContain('<html lang="en">');
  expect(html).toContain("5 open incidents");
  for (const { name } of sandbox.data.accounts[0].statusPages) expect(html).toContain(`<span>${name}</span>`);
  const incident = sandbox.incident(incidentId);
  for (const { id } of incident.incidentUpdates) expect(html).toContain(`id="update-${id}"`);
  const [latest, first] = incident.incidentUpdates;
  expect(html).toContain(`${sandbox.mailed(first?.id).toLocaleString("en")} subscribers mailed`);
  expect(sandbox.mailed(latest?.id)).toBe(0);
  expect(html).toContain("nobody mailed");
});

test("shows an update as soon as it is posted", async () => {
  const sandbox = await sandboxWith();
  await post(sandbox, { ...news, notifySubscribers: true });
  const [update] = sandbox.incident(incidentId).incidentUpdates;
  const { html } = await visit(sandbox);
  const shown = html.slice(html.indexOf(`id="update-${update?.id}"`));
  const entry = shown.slice(0, shown.indexOf("</li>"));
  expect(entry).toContain("Monitoring");
  expect(entry).toContain(news.description);
  expect(entry).toContain(`${sandbox.mailed(update?.id).toLocaleString("en")} subscribers mailed`);
});

test("says that all is well when nothing is open", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.change(({ accounts: [{ statusPageIncidents }] }) => {
    for (const { incidentUpdates } of statusPageIncidents)
      for (const update of incidentUpdates) update.status = "RESOLVED";
  });
  const { html } = await visit(sandbox);
  expect(html).toContain("All systems work");
  expect(html).not.toContain("Open incidents");
});

test("texts are shown as they are, never run", async () => {
  const sandbox = await sandboxWith();
  const attack = `</p><script>alert("x")</script><img src=x onerror='y'>&amp;`;
  await post(sandbox, { ...news, description: attack });
  sandbox.byHand.editIncident(incidentId, { name: `"><b>${attack}` });
  const main = mainOf((await visit(sandbox)).html);
  expect(main).not.toMatch(/<script|<img|<b>/);
  const text = main.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  expect(text).toContain(attack);
});

test("asks no other host for anything and runs only its own script and style", async () => {
  const { response, html } = await visit(await sandboxWith());
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

test("every visit has a nonce of its own, and the same content", async () => {
  const sandbox = await sandboxWith();
  const [one, other] = [await visit(sandbox), await visit(sandbox)];
  expect(one.response.headers.get("content-security-policy")).not.toBe(
    other.response.headers.get("content-security-policy"),
  );
  expect(mainOf(one.html)).toBe(mainOf(other.html));
});

test("works without JavaScript: it reloads by itself and by a link", async () => {
  const { html } = await visit(await sandboxWith());
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="5" /></noscript>');
  expect(html).toContain('<a href="/">Reload</a>');
});

test("many status pages are not all listed", async () => {
  const sandbox = await sandboxWith();
  sandbox.byHand.change(({ accounts: [{ statusPages }] }) => {
    const [page] = statusPages;
    if (page !== undefined)
      statusPages.push(...Array.from({ length: 253 }, (_, index) => ({ ...page, id: `page-${index}` })));
  });
  const { html } = await visit(sandbox);
  expect(html).toContain("300 status pages");
  expect(html).toContain("and 100 more");
});

test("a browser's request for an icon is answered", async () => {
  expect((await ask(await sandboxWith(), "/favicon.ico", { apiKey: null })).status).toBe(204);
});

import type { Sandbox } from "../../sandbox";
import { ask, incidentId, news, post, sandboxWith, updatesOf } from "./sandboxes";

const load = async (sandbox: Sandbox) => {
  const response = await ask(sandbox, "/", { apiKey: null });
  const html = await response.text();
  const [main = ""] = /<main[^]*<\/main>/.exec(html) ?? [];
  return { response, html, main, policy: response.headers.get("content-security-policy") ?? "" };
};
const emailed = (sandbox: Sandbox, updateId?: string) =>
  `${sandbox.mailed(updateId).toLocaleString("en")} subscribers emailed`;

test("shows company, state, open incidents with their history, and all status pages, without a key", async () => {
  const sandbox = await sandboxWith();
  const { response, html } = await load(sandbox);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const [latest, first] = updatesOf(sandbox);
  expect(sandbox.mailed(latest?.id)).toBe(0);
  for (const shown of [
    ...["<title>Quillmarket status</title>", '<html lang="en">', "5 open incidents"],
    ...[`id="update-${latest?.id}"`, `id="update-${first?.id}"`, emailed(sandbox, first?.id)],
    ...sandbox.data.accounts[0].statusPages.map(({ name }) => `<span>${name}</span>`),
  ])
    expect(html).toContain(shown);
});

test("escapes text", async () => {
  const sandbox = await sandboxWith();
  const attack = `</p><script>alert("x")</script><img src=x onerror='y'>&amp;`;
  await post(sandbox, { ...news, description: attack });
  sandbox.byHand.editIncident(incidentId, { name: `"><b>${attack}` });
  const { main } = await load(sandbox);
  expect(main).not.toMatch(/<script|<img|<b>/);
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  const text = main.replaceAll(/&([\w#]+);/g, (entity, name: string) => entities[name] ?? entity);
  expect(text).toContain(attack);
});

test("loads nothing from other hosts and runs only its own script and style", async () => {
  const { html, policy } = await load(await sandboxWith());
  const links = html.match(/(?:href|src|action)="[^"]*"/g);
  expect(links?.filter((link) => !/="(\/|#|data:image)/.test(link))).toEqual([]);
  expect(html).not.toMatch(/@import|url\(|\son\w+="|\sstyle="/);
  expect(policy).toContain("default-src 'none'");
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
  const tags = [`<style nonce="${nonce}">`, `<script nonce="${nonce}">`];
  expect(html.match(/<(script|style)[^>]*>/g)).toEqual(tags);
});

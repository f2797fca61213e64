import type { Sandbox } from "../../sandbox";
import { ask, incidentId, news, post, sandboxWith, updatesOf } from "./sandboxes";

async function load(sandbox: Sandbox) {
  const response = await ask(sandbox, "/", { apiKey: null });
  const html = await response.text();
  return { headers: response.headers, html, main: /<main[^]*<\/main>/.exec(html)?.[0] ?? "" };
}

// How it looks, and how it follows changes: test/browser/statusPage.test.ts.
test("shows company, state, open incidents with their history, and all status pages, without a key", async () => {
  const sandbox = await sandboxWith();
  const { headers, html } = await load(sandbox);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  const [latest, first] = updatesOf(sandbox);
  for (const shown of [
    ...["<title>Quillmarket status</title>", '<html lang="en">', "5 open incidents"],
    ...[`id="update-${latest?.id}"`, `id="update-${first?.id}"`],
    `${sandbox.mailed(first?.id).toLocaleString("en")} subscribers emailed`,
    ...sandbox.data.accounts[0].statusPages.map(({ name }) => `<span>${name}</span>`),
  ])
    expect(html).toContain(shown);
});

test("escapes text, loads nothing from other hosts, and runs only its own script and style", async () => {
  const sandbox = await sandboxWith();
  const attack = `</p><script>alert("x")</script><img src=x onerror='y'>&amp;`;
  await post(sandbox, { ...news, description: attack });
  sandbox.byHand.editIncident(incidentId, { name: `"><b>${attack}` });
  const { headers, html, main } = await load(sandbox);
  expect(main).not.toMatch(/<script|<img|<b>/);
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  expect(main.replaceAll(/&([\w#]+);/g, (_, name: string) => entities[name] ?? "")).toContain(attack);

  const links = html.match(/(?:href|src|action)="[^"]*"/g);
  expect(links?.filter((link) => !/="(\/|#|data:image)/.test(link))).toEqual([]);
  expect(html).not.toMatch(/@import|url\(|<[^>]*\s(on\w+|style)="/);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
  const own = [`<style nonce="${nonce}">`, `<script nonce="${nonce}">`];
  expect(html.match(/<(script|style)[^>]*>/g)).toEqual(own);
});

/** The public status page: served at the root, works without JavaScript, loads nothing from other hosts. */
import { randomBytes } from "node:crypto";
import type { HttpResponse } from "../http/httpResponse";
import type { SandboxData } from "../store/data";
import { multilineMarkup as html, trusted } from "../../provider/texts/markup";
import { refreshScript } from "./refreshScript";
import { style } from "./pageStyle";
import { body } from "./view";

export function publicPage(data: SandboxData): HttpResponse {
  const nonce = randomBytes(16).toString("base64");
  const own = (element: "style" | "script", text: string) =>
    trusted(`<${element} nonce="${nonce}">${text}</${element}>`);
  const [account] = data.accounts;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${account.name} status</title>
        <link rel="icon" href="${icon}" />
        <noscript><meta http-equiv="refresh" content="5" /></noscript>
        ${own("style", style)}
      </head>
      <body>
        ${body(account, data.mailed)} ${own("script", refreshScript)}
      </body>
    </html> `;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": [
        "default-src 'none'",
        `style-src 'nonce-${nonce}'`,
        `script-src 'nonce-${nonce}'`,
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
    body: page.text,
  };
}

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#15803d"/><path d="M4.5 8.2l2.4 2.4 4.6-5" fill="none" stroke="#fff" stroke-width="1.8"/></svg>',
)}`;

/** Tests each form in the table of vendors with random values, because code hosts reject a push that contains a realistic example. */
import { findCredential, redactConfig, maskSettings } from "../../provider/credentials";
import { findKey, findReceiver } from "../../provider/credentials/vendorForms";
import { parseUrl } from "../../provider/credentials/grammar";
import * as vendors from "../../provider/credentials/vendors";
import { base62, drawer, hex } from "./draws";

const characters: Readonly<Record<string, string>> = {
  "": base62,
  x: hex,
  n: "0123456789",
  A: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  u: hex,
  w: `${base62}-_`,
  d: base62,
  t: base62,
  s: `${base62}!@#`,
};
const { drawn } = drawer(1);
const uuid = () => [8, 4, 4, 4, 12].map((length) => drawn(hex, length)).join("-");

/** Generates the shortest text of a form, or the same text without its last character. */
function drawText(form: string, isWhole = true): string {
  const one = form.replace(/\[(\w+)\]/g, (_, letters: string) => drawn(letters, 1));
  const text = one.replace(/\{(\d*)(?:-\d+)?(\w?)\}|\*/g, (part, least = "", alphabet = "") => {
    if (part === "*") return "";
    if (alphabet === "u") return uuid();
    return drawn(characters[alphabet as string] ?? "", Number(least === "" ? 12 : least));
  });
  return isWhole ? text : text.slice(0, -1);
}

const draws = Array.from({ length: 20 });
const isShown = (name: string) => maskSettings({ type: "EMAIL", config: { name } }).title !== undefined;

test.each([...vendors.keys])("a key has the form %s, and no shorter text has it", (form) => {
  const names = draws.map(() => drawText(form));
  expect(names.filter(isShown)).toEqual([]);
  const texts = draws.map(() => `We use ${drawText(form)} now.`);
  expect(texts.filter((text) => findKey(text) === undefined)).toEqual([]);
  const [what] = texts.map(findKey);
  const shorter = draws.map(() => `We use ${drawText(form, false)} now.`);
  expect(shorter.filter((text) => findKey(text) === what)).toEqual([]);
});

const createUrl = (form: string) =>
  `https://${form.replace(/^\*\./, "acme.").replace(/^\*/, "acme.io").replace(/\?/, "/x?a=1&").replaceAll("/*", "/ops4")}`;

test.each([...vendors.hooks])("a webhook is recognized at %s, in text and in a channel", (form) => {
  const addresses = draws.map(() => drawText(createUrl(form).replace(/\{\}/, "{12}")));
  const isFound = (url: string) => {
    const facts = JSON.stringify(redactConfig({ type: "WEBHOOK", config: { url } }));
    const exposed = findCredential(`Post to (${url}).`);
    const isHook = exposed?.confidence === "certain" && exposed.what.startsWith("a webhook at ");
    return isHook && /"(?:place|name)"/.test(facts);
  };
  expect(addresses.filter((url) => !isFound(url))).toEqual([]);
});

const drawToken = () => drawn(base62, 24);

test.each([...vendors.publishable])("a value that a vendor publishes isn't a secret: %s", (form) => {
  const [host = "", parameter] = form.split("?");
  const secret = drawText(host.replace("{1w}", "{24}"));
  const [key, value] =
    parameter === undefined
      ? ["template", `{"api_key":"${secret}"}`]
      : ["url", createCredentialUrl(host, parameter)];
  expect(redactConfig({ type: "WEBHOOK", config: { [key]: value } })[key]).not.toHaveProperty("recognizedBy");
});

function createCredentialUrl(host: string, parameter: string): string {
  const own = host.replace("*", "acme");
  return parameter === "password"
    ? `https://${drawToken()}@${own}/1`
    : `https://${own}/x?${parameter}=${drawToken()}`;
}

test.each([...vendors.hosts.people])("a link for people isn't a secret: %s", (form) => {
  const link = `https://${form.replace("*", "acme")}/${drawToken()}`;
  expect(findReceiver(parseUrl(link))).toBe("people");
});

test("no form is listed twice", () => {
  const { keys, hooks, publishable, hosts } = vendors;
  const forms = [keys, hooks, publishable, ...Object.values(hosts)].flat();
  expect(forms).toEqual([...new Set(forms)]);
});

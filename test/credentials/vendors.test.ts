/** Each form of the table of vendors: what its forms stand for is drawn, because an example of a real form stops a push elsewhere. */
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

/** Draws the shortest text of a form, or one that lacks its last character. */
function drawnOf(form: string, isWhole = true): string {
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

test.each([...vendors.keys])("a key has the form %s, and none that is shorter", (form) => {
  const names = draws.map(() => drawnOf(form));
  expect(names.filter(isShown)).toEqual([]);
  const texts = draws.map(() => `We use ${drawnOf(form)} now.`);
  expect(texts.filter((text) => findKey(text) === undefined)).toEqual([]);
  const [what] = texts.map(findKey);
  const shorter = draws.map(() => `We use ${drawnOf(form, false)} now.`);
  expect(shorter.filter((text) => findKey(text) === what)).toEqual([]);
});

const addressOf = (form: string) =>
  `https://${form.replace(/^\*\./, "acme.").replace(/^\*/, "acme.io").replace(/\?/, "/x?a=1&").replaceAll("/*", "/ops4")}`;

test.each([...vendors.hooks])("a hook is at %s, in a text and in a channel", (form) => {
  const addresses = draws.map(() => drawnOf(addressOf(form).replace(/\{\}/, "{12}")));
  const isFound = (url: string) => {
    const facts = JSON.stringify(redactConfig({ type: "WEBHOOK", config: { url } }));
    const exposed = findCredential(`Post to (${url}).`);
    const isHook = exposed?.confidence === "certain" && exposed.what.startsWith("a webhook at ");
    return isHook && /"(?:place|name)"/.test(facts);
  };
  expect(addresses.filter((url) => !isFound(url))).toEqual([]);
});

const tokenOf = () => drawn(base62, 24);

test.each([...vendors.publishable])("what a vendor publishes is no secret: %s", (form) => {
  const [host = "", parameter] = form.split("?");
  const secret = drawnOf(host.replace("{1w}", "{24}"));
  const [key, value] =
    parameter === undefined ? ["template", `{"api_key":"${secret}"}`] : ["url", parameterOf(host, parameter)];
  expect(redactConfig({ type: "WEBHOOK", config: { [key]: value } })[key]).not.toHaveProperty("recognizedBy");
});

function parameterOf(host: string, parameter: string): string {
  const own = host.replace("*", "acme");
  return parameter === "password"
    ? `https://${tokenOf()}@${own}/1`
    : `https://${own}/x?${parameter}=${tokenOf()}`;
}

test.each([...vendors.hosts.people])("a link is for people: %s", (form) => {
  const link = `https://${form.replace("*", "acme")}/${tokenOf()}`;
  expect(findReceiver(parseUrl(link))).toBe("people");
});

test("no form is listed twice", () => {
  const { keys, hooks, publishable, hosts } = vendors;
  const forms = [keys, hooks, publishable, ...Object.values(hosts)].flat();
  expect(forms).toEqual([...new Set(forms)]);
});

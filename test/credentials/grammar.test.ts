/** Tests how the text of a setting is split into named values, and how each name classifies its value, on both sides of each bound. */
import { parseBody, classifyName, mark, markText, parseUrl } from "../../provider/credentials/grammar";

test.each([
  [
    "secret",
    "sid pass apikey secretkey credential contrase-ña connect.sid session_id smtp_pass mot_de_passe senha clave service_key",
  ],
  ["likely", "passwda authorize service_keys_key"],
  ["id", "sha identifier trace publickey user_agent"],
  ["other", "sessId- service_keya sida passd tracep senhaa aclave clavea apikeya"],
])("the name of a value classifies it as %s: %s", (nameClass, names) => {
  expect(names.split(" ").filter((name) => classifyName(name) !== nameClass)).toEqual([]);
});

const { stored, alert, hidden, env } = mark;
test.each([
  ["{{json 1 TEAM}}", stored],
  ["{{dsna}}", stored],
  ["{{thisa}}", stored],
  ["{{tag}}", alert],
  ["{{1}}", alert],
  ["{{^X}}", ""],
  ["{{a^X}}", stored],
  ["${{  env.X }}", env],
  ["${{- env.X }}", `$${stored}`],
  ["<masked>", hidden],
  ["a *a*** b", `a *${hidden} b`],
  [" xxx…1234", ` ${hidden}`],
  ["•", "•"],
  ["\uE000x", "\uFFFDx"],
])("references and masked values are replaced by marks: %j by %j", (text, shown) => {
  expect(markText(text)).toBe(shown);
});

test.each([
  ["https://c.io:8/x", { scheme: "https", hostname: "c.io", segments: ["x"] }],
  ["https://c.io:port/x", { segments: ["x"] }],
  [`https://c.io:${alert}/x`, { scheme: "https", hostname: "c.io", segments: ["x"] }],
  [`https://${alert}/x`, { scheme: "https", segments: ["x"] }],
  ["a/b", { segments: ["a", "b"] }],
  ["?x", { segments: [""], parameters: [{ name: "", text: "x" }] }],
  ["?=a=b", { segments: [""], parameters: [{ name: "", text: "=a=b" }] }],
  ["git+ssh://", { segments: [""] }],
  ["?&;#", { segments: [""] }],
  ["=&=c&d", { segments: ["=&=c&d"] }],
  ["https://c.io/./a/../b\\c", { scheme: "https", hostname: "c.io", segments: ["b", "c"] }],
  [
    "https://c.io/%61%62?x=%2b+y",
    { scheme: "https", hostname: "c.io", segments: ["ab"], parameters: [{ name: "x", text: "+ y" }] },
  ],
])("the URL %j has the parts %j", (url, parts) => {
  expect(parseUrl(url)).toEqual({ user: "", password: "", parameters: [], ...parts });
});

const named = (values: readonly { name: string; text: string }[]) =>
  values.map(({ name, text }) => (name === "" ? text : `${name}=${text}`));

test.each([
  ["'>b</a>", [">b</a>"]],
  ['{"a":"x\\ny"}', ["a=x\ny"]],
  ['{"a":"x\\', ["a=x\\"]],
  ["HTTPS://C.io", ["HTTPS://C.io"]],
  ['"a": "  <b>c</b>"', ["b=c", "b=c", "b", "c", "/b"]],
])("the body %j has the values %j", (body, values) => {
  expect(named(parseBody(body))).toEqual(values);
});

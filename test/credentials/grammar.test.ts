/** How the text of a setting is split into named values, and what each name says of its value: at each side of each bound. */
import {
  bodyValues,
  classOfName,
  headerParts,
  mark,
  marked,
  urlParts,
} from "../../provider/credentials/grammar";

test.each([
  [
    "secret",
    "sid pass apikey secretkey credential contrase-ña connect.sid session_id smtp_pass mot_de_passe senha clave service_key",
  ],
  ["likely", "passwda sess authorize ax_pass service_keys_key"],
  ["id", "sha iden identifier trace publickey user_agent"],
  ["other", "sessId- service_keya sida passd tracep senhaa aclave clavea apikeya auser_agent -referer"],
])("a name says of its value that it is %s: %s", (nameClass, names) => {
  expect(names.split(" ").filter((name) => classOfName(name) !== nameClass)).toEqual([]);
});

const { secret, stored, alert, hidden, env } = mark;
test.each([
  ["{{json 1EAM OPS_TOKEN}}", secret],
  ["{{json 1 TEAM}}", stored],
  ["{{dsna}}", stored],
  ["{{thisa}}", stored],
  ["{{tag}}", alert],
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
  expect(marked(text)).toBe(shown);
});

test.each([
  ["https://c.io:8/x", { scheme: "https", hostname: "c.io", segments: ["x"] }],
  ["https://c.io:port/x", { segments: ["x"] }],
  ["git+ssh://", { segments: [""] }],
  ["?&;#", { segments: [""] }],
  ["=&=c&d", { segments: ["=&=c&d"] }],
  ["https://c.io/./a/../b\\c", { scheme: "https", hostname: "c.io", segments: ["b", "c"] }],
  [
    "https://c.io/%61%62?x=%2b+y",
    { scheme: "https", hostname: "c.io", segments: ["ab"], parameters: [{ name: "x", text: "+ y" }] },
  ],
  ["//c.io/a;b=c;d/e", { segments: ["", "c.io", "a;d", "e"], parameters: [{ name: "b", text: "c" }] }],
])("the parts of the URL %j are %j", (url, parts) => {
  expect(urlParts(url)).toEqual({ user: "", password: "", parameters: [], ...parts });
});

const named = (values: readonly { name: string; text: string }[]) =>
  values.map(({ name, text }) => (name === "" ? text : `${name}=${text}`));

test("the parts of a header are its pairs, without quotes", () => {
  expect(named(headerParts(`x="a b", y='ac'`))).toEqual(["x=a b", "y=ac"]);
});

test.each([
  ["a:  |\n  x y\n  z", ["a=x y", "z"]],
  ["a: >-\n  x\nb: c", ["a=x", "b=c"]],
  ["'>b</a>", [">b</a>"]],
  ['{"a":"x\\ny"}', ["a=x\ny"]],
  ['{"a":"x\\', ["a=x\\"]],
  ["HTTPS://C.io", ["HTTPS://C.io"]],
  ['"a": "  <b>c</b>"', ["b=c", "b=c", "b", "c", "/b"]],
  ["<a><![CDATA[b]]></a>", ["a=b", "a", "b", "/a"]],
])("the values of the body %j are %j", (body, values) => {
  expect(named(bodyValues(body))).toEqual(values);
});

/** How well a token is told by its shape: false alarms on what people write, and tokens that are found. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { redactConfig } from "../../provider/credentials";
import { randomIn } from "../../provider/credentials/shapes";
import { packageFolder } from "../../provider/packageManifest";
import { camelCaseNames, drawer } from "./drawing";

const isToken = (text: string) => randomIn(text) !== undefined;

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const letters = lower + lower.toUpperCase();
const services =
  "checkout payment gateway billing inventory search auth-proxy notification scheduler ingress prometheus loki kafka postgres redis vault vpnhub fritzbox k8s s3 ipv6";
const cities =
  "rzeszow wroclaw szczecin bydgoszcz nuernberg duesseldorf moenchengladbach zwickau reykjavik s-hertogenbosch groningen strasbourg clermont-ferrand aix-en-provence xalapa oaxaca";
const airports = "jfk lhr hkg nrt cdg zrh fra muc gru eze sfo lax dxb sin syd yyz txl waw krk vie otp skg";

/** Names of services, cities, pods, versions, times, files, hosts and declarations, as paths have them. */
function slugs(seed: number, count: number): string[] {
  const { below, oneOf, many, drawn, number } = drawer(seed);
  const service = () => oneOf(services);
  const capital = () => service().replace(/^./, (first) => first.toUpperCase());
  const pod = (length: number) => drawn("bcdfghjklmnpqrstvwxz2456789", length);
  const date = () => `20${number(30)}-${number(12)}-${number(28)}`;
  const time = () => `T${number(24)}:${number(60)}:${number(60)}Z`;
  const kinds = [
    () => many(2, 5, service).join(oneOf("- _ .")),
    () => many(2, 5, () => oneOf(cities)).join("-"),
    () => many(4, 8, () => oneOf(airports)).join("-"),
    () => `${service()}-${service()}-${pod(10)}-${pod(5)}`,
    () => `${service()}-v${number(9)}.${number(40)}.${number(99)}-rc.${number(9)}+build.${number(9999)}`,
    () => (date() + time()).replace(/[-:]/g, ""),
    () => `${service()}_${service()}_${number(99)}.${oneOf("tar.gz json md5 x86_64.rpm amd64.deb h264.mp4")}`,
    () => many(3, 5, capital).join("").replaceAll("-", "") + oneOf(" 2 12"),
    () =>
      `${service()}-${oneOf("eu us ap")}-${oneOf("west east")}-${number(3)}${oneOf("a b")}-prod-${number(99)}`,
    () => `eu1-k8s-nbg${number(9)}-gw${number(9)}-h${number(99)}-p3x`,
    () => `ip-10-${number(255)}-${number(255)}-${number(255)}-ec2`,
    () =>
      `onCall${oneOf("Rotation Schedule Team")}${oneOf("Primary Secondary")}${oneOf("A B C")}${number(20)}`,
  ];
  return Array.from({ length: count }, () => kinds[below(kinds.length)]?.() ?? "");
}

test("of 5,000 slugs, at most 0.2 % are taken for a token", () => {
  const accused = slugs(1, 5_000).filter(isToken);
  expect(accused.slice(10)).toEqual([]);
});

const base62 = digits + letters;
/** The kinds of tokens that the guide names: what it calls them, their characters and their length. */
const kinds: [name: string, characters: string, length: number][] = [
  ["16 hexadecimal digits", "0123456789abcdef", 16],
  ["16 lower-case letters and digits", lower + digits, 16],
  ["20", lower + digits, 20],
  ["32", lower + digits, 32],
  ["16 letters of both cases and digits", base62, 16],
  ["20", base62, 20],
  ["32", base62, 32],
  ["22 of base64url", `${base62}-_`, 22],
  ["43", `${base62}-_`, 43],
  ["26 of base32", `${lower.toUpperCase()}234567`, 26],
  ["24 letters of both cases", letters, 24],
  ["32", letters, 32],
];
/** `DRAWS=50000 npm test -- test/credentials/tokens -t guide` compares the guide with as many draws as it says, exactly. */
const draws = Number(process.env["DRAWS"] ?? 1_000);
const said = 50_000;

test("the guide says how many tokens aren't found", () => {
  const guide = readFileSync(join(packageFolder, "docs", "guides", "auditing.md"), "utf8").replace(
    /\s+/g,
    " ",
  );
  const [, sentence = ""] = /Not found, of 50,000 drawn each: (.*?%)\./.exec(guide) ?? [];
  const rates = kinds.map(([name, characters, length], seed): [string, number] => {
    const { drawn } = drawer(seed + 1);
    let missed = 0;
    for (let count = 0; count < draws; count++) if (!isToken(drawn(characters, length))) missed += 1;
    return [name, (missed / draws) * 100];
  });
  if (draws === said) {
    expect(sentence).toBe(rates.map(([name, rate]) => `${name} ${rate.toFixed(1)} %`).join(", "));
    return;
  }
  const stated = sentence.split(", ").map((one) => /^(.*) ([\d.]+) %$/.exec(one) ?? []);
  expect(stated.map(([, name]) => name)).toEqual(rates.map(([name]) => name));
  const differing = rates.filter(([, rate], index) => Math.abs(rate - Number(stated[index]?.[2])) > 2);
  expect(differing).toEqual([]);
});

test("a UUID is a token, unless it is nil", () => {
  const { drawn } = drawer(1);
  const part = (length: number) => drawn("0123456789abcdef", length);
  const uuids = Array.from({ length: 2_000 }, () => [8, 4, 4, 4, 12].map(part).join("-"));
  expect(uuids.filter((uuid) => !isToken(uuid))).toEqual([]);
  expect(isToken("00000000-0000-0000-0000-000000000000")).toBe(false);
});

/** Whether a setting shows a secret that its name doesn't tell. */
const isFound = (config: Record<string, unknown>) =>
  JSON.stringify(redactConfig({ type: "WEBHOOK", config })).includes('"recognizedBy":');
const places: readonly ((one: string) => Record<string, unknown>)[] = [
  (one) => ({ url: `https://ops.acme.io/in/checkly-${one}` }),
  (one) => ({ url: `https://ops.acme.io/in?topic=alert_${one}` }),
  (one) => ({ headers: [{ key: "X-Foo", value: `acme.${one}` }] }),
  (one) => ({ template: `{"x":"1102015431:${one}"}` }),
];

test("of tokens beside words, 97 % are found, at any place and with any alphabet", () => {
  const { drawn } = drawer(1);
  const alphabets = kinds.map(([, characters]) => characters).filter((characters) => /\d/.test(characters));
  const shares = [...new Set(alphabets)].flatMap((alphabet) =>
    places.map((at) => {
      const tokens = Array.from({ length: 50 }, () => drawn(alphabet, 40));
      return tokens.filter((one) => isFound(at(one))).length / tokens.length;
    }),
  );
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.97);
});

test("of names in camelCase, of words and digits, fewer than 1 of 20 looks random", () => {
  const names = camelCaseNames(1, 1_000);
  expect(names.filter(isToken).length / names.length).toBeLessThan(1 / 20);
});

/** How well credentials are told, by what is known of their vendors and by their shape: false alarms on what people write, and tokens that are found. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { knownCredentialIn, redactConfig } from "../../provider/credentials";
import { randomIn } from "../../provider/credentials/shapes";
import { packageFolder } from "../../provider/packageManifest";

/** Random numbers below 1, the same in each run: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws texts at random, the same in each run. */
function drawer(seed: number) {
  const random = randomOf(seed);
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = (words: string) => words.split(" ")[below(words.split(" ").length)] ?? "";
  const many = (least: number, most: number, draw: () => string) =>
    Array.from({ length: least + below(most - least + 1) }, draw);
  const drawn = (characters: string, length: number) =>
    many(length, length, () => characters.charAt(below(characters.length))).join("");
  const number = (most: number) => String(below(most)).padStart(2, "0");
  return { below, oneOf, many, drawn, number };
}

const isToken = (text: string) => randomIn(text) !== undefined;

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const letters = lower + lower.toUpperCase();
const base62 = digits + letters;
const hex = "0123456789abcdef";
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

/** The kinds of tokens that the guide names: what it calls them, their characters and their length. */
const kinds: [name: string, characters: string, length: number][] = [
  ["16 hexadecimal digits", hex, 16],
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
  const guide = readFileSync(join(packageFolder, "docs", "guides", "auditing.md"), "utf8");
  const text = guide.replace(/\s+/g, " ");
  const [, sentence = ""] = /Not found, of 50,000 drawn each: (.*?%)\./.exec(text) ?? [];
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
  const part = (length: number) => drawn(hex, length);
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

const { drawn: drawnOnce } = drawer(1);
const random = (length: number, characters = base62) => drawnOnce(characters, length);
const [teams, chat] = ["https://acme.webhook.office.com/webhookb2", "https://chat.googleapis.com"];
/** What each kind of a known credential is called, and one of its kind. */
const vendors: readonly (readonly [name: string, draw: () => string])[] = [
  ["a private key", () => "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ["a JSON Web Token", () => `eyJ${random(30)}.eyJ${random(60)}.${random(43)}`],
  ["a key of Slack", () => `xoxb-${random(12, "0123456789")}-${random(24)}`],
  ["a key of AWS", () => `AKIA${random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`],
  ["a key of SendGrid", () => `SG.${random(22)}.${random(43)}`],
  ["a key of OpenAI", () => `sk-proj-${random(48)}`],
  ["a hook of Slack", () => `https://hooks.slack.com/triggers/T0AB12CD3/7712345678/${random(32, hex)}`],
  ["a hook of Discord", () => `https://discord.com/api/webhooks/469984800622123456/${random(68)}`],
  ["a hook of Microsoft Teams", () => `${teams}/3f1c2b7a-9d4e-4a51-8c60-${random(12, hex)}@acme/x`],
  ["a hook of Google Chat", () => `${chat}/v1/spaces/AAA/messages?threadKey=a&token=${random(43)}`],
  ["a token of a Telegram bot", () => `https://api.telegram.org/bot1102015431:${random(35)}/sendMessage`],
];

test("of 1,000 drawn keys of each kind none is missed, also within a sentence, and what it is called doesn't quote it", () => {
  const missed = vendors.flatMap(([name, draw]) =>
    Array.from({ length: 1_000 }, () => `We use (${draw()}), see below.`).filter(
      (text) => knownCredentialIn(text) !== name,
    ),
  );
  expect(missed.slice(0, 5)).toEqual([]);
});

test.each([
  "https://docs.acme.io/global-regional-zonal-resources",
  "sk-learn-contrib-lightning-model",
  "taskghp_kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLw",
  "npm_config_registry_and_other_settings",
  "https://join.slack.com/t/acme/shared_invite/zt-1a2b3c4d5-AbCdEfGhIjKlMnOpQrSt",
  "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  "https://discord.com/channels/469984800622123456/469984800622123457",
  "https://api.telegram.org/bot<token>/sendMessage",
])("%s has no known credential", (text) => {
  expect(knownCredentialIn(text)).toBeUndefined();
});

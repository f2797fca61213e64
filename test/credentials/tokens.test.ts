/** Tests the detection of credentials by vendor and by shape: false positives in text that people write, and tokens that are found. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { redactConfig } from "../../provider/credentials";
import { findHook, findKey } from "../../provider/credentials/vendorForms";
import { isMixed, looksRandom, findRandom } from "../../provider/credentials/vendorForms";
import { packageFolder } from "../../provider/packageManifest";
import { base62, drawer, hex, kinds, slugs } from "./draws";

const isToken = (text: string) => findRandom(text) !== undefined;

test("at most 0.2 % of 5,000 slugs are mistaken for a token", () => {
  const accused = slugs(1, 5_000).filter(isToken);
  expect(accused.slice(10)).toEqual([]);
});

/** `DRAWS=50000 npm test -- test/credentials/tokens -t reference` compares the page exactly, with the number of draws that it states. */
const draws = Number(process.env["DRAWS"] ?? 1_000);
const said = 50_000;

test("the reference states the share of tokens that aren't found", () => {
  const page = readFileSync(join(packageFolder, "docs", "reference", "rules.md"), "utf8");
  const [, list = ""] = /Missed, of 50,000 random values of each kind:\n\n((?:- .*\n)*)/.exec(page) ?? [];
  const lines = list.trimEnd().split("\n");
  const rates = kinds.map(([name, characters, length], seed): [string, number] => {
    const { drawn } = drawer(seed + 1);
    let missed = 0;
    for (let count = 0; count < draws; count++) if (!isToken(drawn(characters, length))) missed += 1;
    return [name, (missed / draws) * 100];
  });
  if (draws === said) {
    expect(lines).toEqual(rates.map(([name, rate]) => `- ${name}: ${rate.toFixed(1)} %`));
    return;
  }
  const stated = lines.map((line) => /^- (.*): ([\d.]+) %$/.exec(line) ?? []);
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

test.each<[kind: "token" | "id" | undefined, texts: string]>([
  [
    "token",
    `kq3Zr8vKp1LwT5xB kq3zr8vkp1lwt5xb kq3Zr8vK-p1LwT5xB kq3Z-r8vK-p1Lw-T5xB-k3vQ Abc12Def34Ghi56Jkl78Mno9
     Abc12Def3Gh-i56Jkl78Mnop Abc12Def3Gh-i56Jkl78Mnop-20261120T120000 20261120T120000A A20261120T120000`,
  ],
  [
    "id",
    `3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8 4c1e9a7730f84b2d 411e9a7730f84b2d ACXac1e9a7730f84b2d asha256:9f86d081884c7d65
     kq3Zr8vK/3f1c2b7a-9d4e-4a51-8c60-7b2e91d0f4a8/p1LwT5xB kq3Zr8vK/4c1e9a7730f84b2d/p1LwT5xB`,
  ],
  [
    undefined,
    `kq3Zr8vKp1LwT5x deadbeefdeadbeef 00000000-0000-0000-0000-000000000000 00000000-0000-0000-0000000000000000 abcdefg1234567hij
     kq3Zr8vK-12345-p1LwT5xB kq3Zr8vK_Europe_p1LwT5xB kq3Zr8vK_E-rope_p1LwT5xB EUROPE-k-q3Zr8vKp1LwT5xB kq3Zr8vK/sha256:9f86d081;p1LwT5xB k3Z-r8v-p1L-T5x-k3v-Q8a`,
  ],
])("a random text is a token or an ID, on each side of each bound: %s as %s", (kind, texts) => {
  expect(texts.split(/\s+/).filter((text) => findRandom(text) !== kind)).toEqual([]);
});

test("a token and an ID are found next to words", () => {
  const texts = ["is kq3Zr8vK-p1LwT5xB", "411e9a7730f84b2d is it", "kq3Zr8vK p1LwT5xB"];
  expect(texts.map((text) => findRandom(text))).toEqual(["token", "id", undefined]);
});

test.each([
  [
    "looks drawn",
    looksRandom,
    "aB3dE6gH AbcDefGhIjKl",
    "aB3dE6g 4c1e9a7730f84b2d Winter2026x ABC123DEFG456HIJK",
  ],
  ["has digits between its letters", isMixed, "a12bcd 12ab34 20261120T120000", "3f1a2 abcde1 123abc"],
])("a shorter word %s, on each side of each bound", (_, isOne, found, others) => {
  const all = `${found} ${others}`.split(" ");
  expect(all.filter(isOne).join(" ")).toBe(found);
});

/** Returns true if a setting contains a secret that its name doesn't indicate. */
const isFound = (config: Record<string, unknown>) =>
  JSON.stringify(redactConfig({ type: "WEBHOOK", config })).includes('"recognizedBy":');
const places: readonly ((one: string) => Record<string, unknown>)[] = [
  (one) => ({ url: `https://ops.acme.io/in/checkly-${one}` }),
  (one) => ({ url: `https://ops.acme.io/in?topic=alert_${one}` }),
  (one) => ({ headers: [{ key: "X-Foo", value: `acme.${one}` }] }),
];

test("97 % of tokens next to words are found, at any place and with any alphabet", () => {
  const { drawn } = drawer(1);
  const alphabets = kinds
    .map(([, characters]) => characters)
    .filter((characters) => /\d.*[g-z]/i.test(characters));
  const shares = [...new Set(alphabets)].flatMap((alphabet) =>
    places.map((at) => {
      const tokens = Array.from({ length: 50 }, () => drawn(alphabet, 40));
      return tokens.filter((one) => isFound(at(one))).length / tokens.length;
    }),
  );
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.97);
});

const findCredential = (text: string) => findKey(text) ?? findHook(text);
const { drawn: drawnOnce } = drawer(1);
const random = (length: number, characters = base62) => drawnOnce(characters, length);

test.each([
  ["a private key", `-----BEGIN PRIVATE KEY-----\\r${random(24)}`],
  ["a private key", `-----BEGIN OPENSSH PRIVATE KEY-----\n${random(24)}`],
  ["a private key", `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${random(24)}`],
  ["a private key", `Private-Lines: 14  ${random(12)}`],
  ["a JSON Web Token", `eyJ${random(8)}.eyJ${random(8)}.${random(10)}`],
  ["a JSON Web Token", `ghs_1234567_eyJ${random(8)}.eyJ${random(8)}.${random(10)}`],
])("the shortest form of %s is recognized, but not without its last character: %#", (name, text) => {
  expect(findCredential(text)).toBe(name);
  expect(findCredential(text.slice(0, -1))).toBeUndefined();
});

test.each([
  [`ghp_${"YOURTOKEN".repeat(4)} ghp_${random(36)}`, "a key that starts with `ghp_`"],
  [`sk_live_${random(24)}`, "a key that starts with `sk_live_`"],
  [`${random(32, hex)}-us21`, "an API key"],
  [`SK${random(32, hex)}`, "a key that starts with `SK`"],
  ["xoxb-ABCDEFABCD", "a key that starts with `xoxb-`"],
  ["xoxb-kqzrvkpLwt", "a key that starts with `xoxb-`"],
  ["xoxb-kq3zrvkplw", "a key that starts with `xoxb-`"],
  ["https://hc-ping.com/kqzrvkpLwt", "a webhook at hc-ping.com"],
])("a key is described by its first characters, even next to an example: %#", (text, description) => {
  expect(findCredential(text)).toBe(description);
});

test.each([
  `${random(32, hex)}-us2x`,
  `x1102015431:AA${random(30)}`,
  `logic.azure.s/x?a=1&sig=${random(20)}`,
  "https://docs.acme.io/global-regional-zonal-resources",
  "sk-learn-contrib-lightning-model",
  "taskghp_kq3Zr8vKp1LwT5xBk3vQ9xZ1dK3vQ9xZ1pLw",
  "npm_config_registry_and_other_settings",
  "xoxb-ABCDEABCDE",
  "xoxb-EXAMPLE123",
  "re_kqzrvkpl_kqzrvkplwtxbkqzrvkplwtxb",
  "xoxb-kqzrvkplwt",
  "https://hc-ping.com/kqzrvkpLw",
  "https://join.slack.com/t/acme/shared_invite/zt-1a2b3c4d5-AbCdEfGhIjKlMnOpQrSt",
  "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  "https://discord.com/channels/469984800622123456/469984800622123457",
  "https://api.telegram.org/bot<token>/sendMessage",
])("%s has no known credential", (text) => {
  expect(findCredential(text)).toBeUndefined();
});

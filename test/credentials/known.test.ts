/** Credentials that are known wherever they stand, for the audit and for texts of updates. */
import { knownCredentialIn } from "../../provider/credentials";
import { drawer } from "./drawing";

const { drawn } = drawer(1);
const lower = "abcdefghijklmnopqrstuvwxyz";
const base62 = `${lower}${lower.toUpperCase()}0123456789`;
const hex = "0123456789abcdef";
const random = (length: number, characters = base62) => drawn(characters, length);

/** What each kind is called, and one of its kind. */
const kinds: readonly (readonly [name: string, draw: () => string])[] = [
  ["a private key", () => "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ["a JSON Web Token", () => `eyJ${random(30)}.eyJ${random(60)}.${random(43)}`],
  ["a key of Slack", () => `xoxb-${random(12, "0123456789")}-${random(24)}`],
  ["a key of AWS", () => `AKIA${random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`],
  ["a key of SendGrid", () => `SG.${random(22)}.${random(43)}`],
  ["a key of OpenAI", () => `sk-proj-${random(48)}`],
  ["a hook of Slack", () => `https://hooks.slack.com/triggers/T0AB12CD3/7712345678/${random(32, hex)}`],
  ["a hook of Discord", () => `https://discord.com/api/webhooks/469984800622123456/${random(68)}`],
  [
    "a hook of Microsoft Teams",
    () => `https://acme.webhook.office.com/webhookb2/3f1c2b7a-9d4e-4a51-8c60-${random(12, hex)}@acme/x`,
  ],
  [
    "a hook of Google Chat",
    () => `https://chat.googleapis.com/v1/spaces/AAA/messages?threadKey=a&token=${random(43)}`,
  ],
  ["a token of a Telegram bot", () => `https://api.telegram.org/bot1102015431:${random(35)}/sendMessage`],
];

test("of 1,000 drawn keys of each kind none is missed, also within a sentence, and what it is called doesn't quote it", () => {
  const missed = kinds.flatMap(([name, draw]) =>
    Array.from({ length: 1_000 }, () => `We use (${draw()}), see below.`).filter(
      (text) => knownCredentialIn(text) !== name,
    ),
  );
  expect(missed.slice(0, 5)).toEqual([]);
});

test.each([
  "https://docs.acme.io/global-regional-zonal-resources",
  "sk-learn-contrib-lightning-model",
  "npm_config_registry_and_other_settings",
  "https://join.slack.com/t/acme/shared_invite/zt-1a2b3c4d5-AbCdEfGhIjKlMnOpQrSt",
  "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  "https://discord.com/channels/469984800622123456/469984800622123457",
  "https://api.telegram.org/bot<token>/sendMessage",
])("%s has no known credential", (text) => {
  expect(knownCredentialIn(text)).toBeUndefined();
});

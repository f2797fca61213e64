/**
 * Tests the certainty with which credentials are detected in text for people. Covers each sign of a credential and text that looks
 * similar.
 */
import { findCredential } from "../../provider/credentials";
import { base62, drawer } from "./draws";

const inAddress = "a credential in a URL";
const inHeader = "a credential in a header";
const afterWord = "a credential after a word such as key, token or password";
const ofAddress = "a password in a URL";
const ofUser = "a password after a user name";

/** KEY stands for a random key, DRAWN for a string that isn't a word, MIXED for a personal password, and UUID and HEX for IDs. */
const values = [
  ["KEY", "kq3Zr8vKp1LwT5xBk3vQ"],
  ["DRAWN", "qZrVkLwT"],
  ["MIXED", "harbour48"],
  ["HEX", "4c1e9a7730f84b2d9b8e2d6f5a1c3e70"],
  ["UUID", "4f3c2b1a-9d8e-4c7b-a6f5-0e1d2c3b4a59"],
] as const;
const filled = (text: string) => values.reduce((rest, [name, value]) => rest.replaceAll(name, value), text);
const splitTexts = (texts: string) => texts.trim().split(/\n\s+/).map(filled);
/** A long hexadecimal number, such as a wallet's address. */
const wallet = "0x52908400098527886e0f7030069857d2e4169ee7";

test.each<[said: string, texts: string]>([
  [
    `certain: ${inAddress}`,
    `https://acme.io/x?token=KEY
     https://acme.io/x?X-Amz-Signature=KEY
     https://acme.io/x?sig=KEY
     https://acme.io/x?token=xarn:aws:KEY
     https://acme.io/x?password=KEY, or https://acme.io/hooks/KEY`,
  ],
  [
    `likely: ${inAddress}`,
    `https://acme.io/x?sig=DRAWN
     https://acme.io/x?signatures=KEY`,
  ],
  [
    "certain: a webhook at ntfy.sh",
    `https://ntfy.sh/alerts7
     (ntfy.sh is down, see https://ntfy.sh/alerts7)`,
  ],
  [
    "likely: a possible webhook",
    `https://acme.io/hooks/KEY
     https://hooks.acme.io/KEY
     https://acme.io/Incoming/x/KEY`,
  ],
  [
    `certain: ${ofAddress}`,
    `https://ops:KEY@acme.io
     https://ops:MIXED@acme.io
     https://ops:Ab@acme.io
     https://user:winter1@acme.io
     (https://acme.io/hooks/KEY, https://ops:MIXED@acme.io.)`,
  ],
  [
    `likely: ${ofAddress}`,
    `https://ops:secretword@acme.io
     https://xuser:secretword@acme.io
     https://users:secretword@acme.io
     https://ops:secretword@localhost.acme.io
     https://ops:secretword@my-localhost`,
  ],
  [
    `certain: ${inHeader}`,
    `bearer KEY
     Bearer UUID
     GenieKey UUID
     SSWS UUID
     Basic KEY
     Splunk KEY
     apikey KEY`,
  ],
  [
    `certain: ${ofUser}`,
    `curl -u ops:DRAWN
     curl --user ops:MIXED`,
  ],
  [
    `certain: ${afterWord}`,
    `token: KEY
     token\uff1aKEY
     API key = "KEY"
     la clave: KEY
     api_key: ${wallet}0
     api_key: a${wallet}
     key: DRAWN, token: KEY
     https://acme.io/hooks/KEY, token: KEY`,
  ],
  [
    `likely: ${afterWord}`,
    `key: KEY
     code: KEY
     the code: UUID
     key: DRAWN
     password: MIXED
     Password: Wint2026
     password: a1b2c3
     wachtwoord: MIXED
     token KEY
     codekey: DRAWN
     the publicity token DRAWN
     the nonpublic token DRAWN
     keys DRAWN
     token UUID
     Basic token UUID
     apikey UUID
     the password is DRAWN
     the wachtwoord is DRAWN
     the token for region: KEY
     the password for it is KEY
     the public one: token KEY
     Use KEY as API token.`,
  ],
  [
    "likely: a random string, regardless of the text next to it",
    `KEY
     Bearers KEY
     xbearer KEY
     region: KEY
     keyed KEY
     the password for all of it is KEY
     the public key of the new region of it KEY
     the charge for all of it KEY
     kq3ZrvKpLwTq8xBkvQz1
     prod_KEY
     Runs with fc-HEX fail.
     Runs with tvly-HEX fail.
     Runs with sk-or-v1-HEXHEX fail.
     Users of kq3Zr8vXvKpLwTqxBkevQzab sign in.`,
  ],
  [
    "certain: a random value with a prefix, like an API key",
    `Runs with acme_KEYab12cd34ef fail.
     Runs with acme_live_KEYab12cd34ef fail.
     Runs with acme-KEYab12cd34ef.x fail.
     Runs with acme_-q3Zr-vKp1_wT5xBk3vQab12cd34ef fail.
     Runs with acme-live-kq3_r8v-p1LwT5xBk3vQab12cd34ef fail.
     Runs with acme_HEX fail.`,
  ],
  [
    "likely: a personal password directly after the word",
    `the password is MIXED
     the password MIXED
     das Passwort lautet MIXED
     hasło MIXED
     le mot de passe est MIXED
     the password was Winter2026!x
     the password is Harbour-Lights-48.`,
  ],
])("a credential is %s", (said, texts) => {
  const told = splitTexts(texts).map((text) => {
    const found = findCredential(text);
    const told = found?.confidence === "certain" ? `certain: ${found.what}` : found?.confidence;
    return `${told} (${text})`;
  });
  const [expected] = said.startsWith("likely") ? said.split(":") : [said];
  expect(told).toEqual(splitTexts(texts).map((text) => `${expected} (${text})`));
});

test.each([
  [
    "addresses",
    `https://ntfy.sh/alerts
     https://ntfy.sh/{{OPS7}}
     https://ntfy.sh/YOUR7
     https://acme.io/KEY
     https://acme.io/KEY/hooks
     https://acme.io/hooks/UUID
     https://acme.io/x?sigx=KEY
     https://chat.googleapis.com/v1/spaces/A?key=KEY
     https://acme.io/x?token=arn:aws:KEY
     https://ops:ops@acme.io
     https://ops:@acme.io
     https://ops:USER_PWD@acme.io
     https://ops:{{PASSWORD}}@acme.io
     https://ops:a1@localhost
     https://ops:a1@hostname
     postgres://ops:a1@HOST
     The token https://acme.io/KEY`,
  ],
  [
    "headers and options",
    `Bearer DRAWN
     Bearers DRAWN
     xbearer DRAWN
     Basic DRAWN
     Basic UUID
     Authorization: Basic a1b2c3d
     Authorization: Basic: a1b2c3d4
     Authorization: new x Basic a1b2c3d4
     Authorization: Basic realmname
     Authorizations: Basic a1b2c3d4
     Proxy-Authorization: Basic a1b2c3d4
     Authorization: x MIXED
     -u ops DRAWN
     -u MIXED
     -ux ops:DRAWN
     x-u ops:DRAWN`,
  ],
  [
    "values after a name",
    `region: UUID
     Session ID: KEY
     Reference 01K9ZT4M7Q2V8X3B5N6C1D0E9F.
     (01K9ZT4M7Q2V8X3B5N6C1D0E9F)
     The cluster is user_01h455vb4pex5vsknk084sn02q.
     Reference number: KEY
     Transaction KEY
     Order no. KEY
     Support ticket KEY
     Reference req_HEX
     (req_HEX)
     See resp_HEXHEX and batch_HEX.
     Ticket #KEY
     trace-HEX
     public key: KEY
     sha key id: KEY
     key: MIXED
     password: Win2026
     password: 20261120
     password: 2026-11-20
     password: harbour
     password: {{MIXED}}
     password: MIXED***
     api_key: phc_DRAWN
     key: ABCD-EFGH-IJKL-MNOP
     key: 1BCD-EFGH-IJKL
     key: 1BC-DEF-GHI-JKL
     key: 1BCDEFG-1BCDEFG-1BCDEFG-1BCDEFG
     key: 1BCD-EFGH-IJKL-MNO
     key: 1BCD-EFGH-IJKL-MNOPQRS
     key: #1BCD-EFGH-IJKL-MNOP
     key: 1BCD-EFGH-IJKL-MNOP#
     key: ABC1-ABCD-ABCD-ABCD-ABCD-ABCD-ABCD-ABCD-ABCD-ABCD`,
  ],
  [
    "values near a word",
    `the password for it is MIXED
     the password is @harbour48
     the password is harbour
     the password basis MIXED
     the password issue MIXED
     HEX
     acme-HEX
     acme-v1-HEX
     Wallets 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
     commit_HEX
     acme_KEY@acme.io
     KEY@acme.io
     acme_0b1c2d3e4f5061728394a5b6c7d8e9f
     the charge of it is acme_KEYab12cd34ef
     events: KEY
     the event was KEY
     the id of it is KEY
     Users of kq3Zr8vXvKpLwTqxBkevQza sign in.
     Parcel 1Z999AA10123456784 is late.
     arn:aws:KEY
     data:image/png;base64,KEY
     ssh-ed25519 AAAAKEYab
     MCowBQKEYab
     -----BEGIN CERTIFICATE-----\nKEY\n-----END
     -----BEGIN PGP PUBLIC KEY BLOCK-----\nKEY\n-----END
     the public key KEY
     the key hash KEY
     the key with md5 KEY
     ssh-ed25519 key DRAWN
     sentry key KEY
     sentry keys KEY
     keyed DRAWN
     my-p DRAWN
     -pa DRAWN
     Use DRAWN as the token.`,
  ],
])("no credential is found in %s like these", (_, texts) => {
  expect(splitTexts(texts).filter((text) => findCredential(text) !== undefined)).toEqual([]);
});

test.each(["acme_", "acme-", "acme_live_"])(
  "keys that start with %s have the same result, wherever - and _ appear",
  (prefix) => {
    const { drawn } = drawer(1);
    const keys = Array.from({ length: 200 }, () => prefix + drawn(`${base62}-_`, 40));
    const others = keys.filter((key) => findCredential(`Use ${key} now.`)?.confidence !== "certain");
    expect(others.length).toBeLessThanOrEqual(1);
  },
);

/** Draws texts at random, the same in each run. */

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

export function drawer(seed: number) {
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

const terms =
  "Auth Bridge Gateway To From In By Of On For Eu Us Prod Queue Topic Sync Event Alert Check Hook Web App User Team Data Lake Stream Source Job Task Metric Trace Cluster Region Zone Edge Router Index Search Mail Chat Value List Payment Checkout Billing Inventory Notification Scheduler Primary Secondary Rotation Schedule";
const acronyms =
  "OAuth2 SAML2 IPv4 IPv6 S3 SNS SQS EC2 K8s Base64 Sha256 Http2 V1 V2 Eu1 Us2 RDS API DB ID JSON DNS TLS SSO GraphQL DynamoDB MySQL IoT";

/** Names such as `OAuth2ToSAML2BridgeEu`, of 16 characters or more. */
export function camelCaseNames(seed: number, count: number): string[] {
  const { below, oneOf, many } = drawer(seed);
  const name = () =>
    many(3, 5, () => oneOf(below(100) < 45 ? acronyms : terms)).join("") + oneOf("1 2 Eu1 V2 12");
  const names: string[] = [];
  while (names.length < count) {
    const one = name();
    if (one.length >= 16) names.push(one);
  }
  return names;
}

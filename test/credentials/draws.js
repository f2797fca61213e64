/** Generates random text that is the same in each run: text that people write, and tokens of each kind. */

/** Returns a generator of random numbers below 1 (mulberry32). @param {number} seed */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {number} seed */
function drawer(seed) {
  const random = createRandom(seed);
  const below = (/** @type {number} */ count) => Math.floor(random() * count);
  const oneOf = (/** @type {string} */ words) => words.split(" ")[below(words.split(" ").length)] ?? "";
  /** @param {number} least @param {number} most @param {() => string} draw */
  const many = (least, most, draw) => Array.from({ length: least + below(most - least + 1) }, draw);
  /** @param {string} characters @param {number} length */
  const drawn = (characters, length) =>
    many(length, length, () => characters.charAt(below(characters.length))).join("");
  const number = (/** @type {number} */ most) => String(below(most)).padStart(2, "0");
  return { below, oneOf, many, drawn, number };
}

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

/**
 * Generates names of services, cities, pods, versions, times, files, hosts and declarations, as they appear in paths. @param {number}
 * seed @param {number} count
 */
function slugs(seed, count) {
  const { below, oneOf, many, drawn, number } = drawer(seed);
  const service = () => oneOf(services);
  const capital = () => service().replace(/^./, (first) => first.toUpperCase());
  const pod = (/** @type {number} */ length) => drawn("bcdfghjklmnpqrstvwxz2456789", length);
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

/**
 * The kinds of tokens in the reference, with their names, characters and lengths. @type {[name: string, characters: string, length:
 * number][]}
 */
const kinds = [
  ["16 hexadecimal digits", hex, 16],
  ["16 lowercase letters and digits", lower + digits, 16],
  ["32 lowercase letters and digits", lower + digits, 32],
  ["16 letters of both cases and digits", base62, 16],
  ["32 letters of both cases and digits", base62, 32],
  ["22 characters of base64url", `${base62}-_`, 22],
  ["26 characters of base32", `${lower.toUpperCase()}234567`, 26],
  ["24 letters of both cases", letters, 24],
];

module.exports = { base62, drawer, hex, kinds, slugs };

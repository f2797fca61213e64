import { SecretMasker } from "../../provider/client/secretMasker";

const secret = `k€y/0123 & "<a+b>" 'c'\\de`;
const masked = (text: string, ...secrets: string[]) => new SecretMasker(secrets).maskMessage(text);
const base64 = (text: string) => Buffer.from(text).toString("base64").replace(/=+$/, "");

describe("a secret is masked", () => {
  test.each([
    ["as it is", secret],
    ["in upper case", secret.toUpperCase()],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in a path", encodeURIComponent(secret)],
    ["in a query", new URLSearchParams({ a: secret }).toString().slice(2)],
    ["in base64", base64(secret)],
    ["in hexadecimal", Buffer.from(secret).toString("hex")],
    ["with each byte encoded", Buffer.from(secret).toString("hex").replace(/../g, "%$&")],
    ["over several lines", secret.replaceAll(" ", "\r\n\t ")],
  ])("%s", (_, form) => {
    expect(masked(`Sent: ${form}.`, secret)).toBe("Sent: [hidden].");
    expect(new SecretMasker([secret]).mask(`Sent: ${form.replace(/\s+/g, " ")}.`)).toBe("Sent: [hidden].");
  });

  test.each([
    [0, 0],
    [1, 2],
    [2, 3],
    [3, 4],
  ])("in base64 of a longer text, after %i other bytes", (before, digits) => {
    const text = `${"x".repeat(before)}??>>ÿ~~?>-key`;
    const whole = Math.floor((Buffer.byteLength(text) * 8) / 6);
    expect(masked(base64(text), "??>>ÿ~~?>-key")).toBe(
      `${base64(text).slice(0, digits)}[hidden]${base64(text).slice(whole)}`,
    );
  });

  const [shorter, longer] = ["key-0123456789", "key-0123456789-abc"];
  const [alphabet, padded] = ["abcdefghijklmnop", " secret-key-9\n"];
  const [seven, eight] = [base64("seven-7"), base64("eight-88")];

  test.each<[what: string, text: string, secrets: string[], expected: string]>([
    ["each time", "1111-aaaa1111-aaaa", ["1111-aaaa"], "[hidden][hidden]"],
    [
      "each of several",
      "one: 1111-aaaa, 2222-bbbb and 1111-aaaa",
      ["1111-aaaa", "2222-bbbb"],
      "one: [hidden], [hidden] and [hidden]",
    ],
    ["each of several, however short", "b a", ["a", "b"], "[hidden] [hidden]"],
    ["completely, when it begins like one before it", longer, [shorter, longer], "[hidden]"],
    ["completely, when it begins like one after it", longer, [longer, shorter], "[hidden]"],
    ["when its first 12 characters are quoted", "Sent: abcdefghijkl…", [alphabet], "Sent: [hidden]…"],
    ["when its first 13 characters are quoted", "Sent: abcdefghijklmX", [alphabet], "Sent: [hidden]X"],
    ["not when fewer are quoted", "Sent: abcdefghijk…", [alphabet], "Sent: abcdefghijk…"],
    // Found by fuzzing: at the end of a word the lower case of Σ is another letter.
    ["in any case", "ΟΔΟΣα ΟΔΟΣ οδός οδοσ", ["ΟΔΟΣ"], "[hidden]α [hidden] οδός [hidden]"],
    ["after text whose upper case is longer", "ßß secret-key x", ["secret-key"], "ßß [hidden] x"],
    ["when its lower case is longer", "İİ secret-İx x", ["secret-İx"], "İİ [hidden] x"],
    [
      "without whitespace around it",
      `a secret-key-9, ${base64("secret-key-9")}`,
      [padded],
      "a [hidden], [hidden]",
    ],
    [
      "without half a surrogate pair",
      "it is secret-value, no more",
      ["secret-value\ud800"],
      "it is [hidden], no more",
    ],
    ["with 7 characters, but not encoded", `seven-7 ${seven}`, ["seven-7"], `[hidden] ${seven}`],
    ["with 8 characters", `eight-88 ${eight}`, ["eight-88"], `[hidden] [hidden]${eight.slice(10)}`],
  ])("%s: %j", (_, text, secrets, expected) => {
    expect(masked(text, ...secrets)).toBe(expected);
  });
});

describe("the API key in the JSON of a response", () => {
  const key = "key-0123456789";
  const hidden = (json: unknown, ...secrets: string[]) => {
    const body = { json };
    return new SecretMasker(secrets).hideKey(body) ? body.json : "nothing";
  };

  test.each([
    [key, "[hidden]"],
    [`<${key.toUpperCase()}>`, "[hidden]"],
    [base64(key), "[hidden]"],
    [
      [7, { a: [null, key], b: "x" }],
      [7, { a: [null, "[hidden]"], b: "x" }],
    ],
    [{ [key]: [key] }, { "[hidden]": ["[hidden]"] }],
    [{ [key]: 1 }, { "[hidden]": 1 }],
  ])("is hidden in %j", (json, expected) => {
    expect(hidden(json, ` ${key} `, "another secret")).toEqual(expected);
  });

  test.each([[null], [7], [""], [key.slice(1)], ["another secret"], [{ a: [] }]])(
    "isn't found in %j",
    (json) => expect(hidden(json, key, "another secret")).toBe("nothing"),
  );

  test("is found behind more fields than a function takes arguments", () => {
    const fields = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`field${index}`, 1]));
    expect(hidden(fields, key)).toBe("nothing");
    expect(hidden({ ...fields, key }, key)).toMatchObject({ field299999: 1, key: "[hidden]" });
  });

  test("isn't looked for when it has fewer than 8 characters", () => {
    const results = [hidden("seven-7", "seven-7"), hidden("eight-88", "eight-88"), hidden("a", "")];
    expect(results).toEqual(["nothing", "[hidden]", "nothing"]);
  });
});

test.each([[], [""], [" \n"]])("without a secret nothing is masked: %j", (...secrets) => {
  expect(masked("The key is not known.", ...secrets)).toBe("The key is not known.");
});

describe("a message", () => {
  test("is one printable line", () => {
    expect(masked(" \0 two\r\n\n lines\u202e,\u200b three \t words\ud800 ")).toBe("two lines , three words");
  });

  test.each([
    ["x".repeat(300), "x".repeat(300)],
    ["x".repeat(301), `${"x".repeat(300)}…`],
    [`${"x".repeat(292)}secret-key more`, `${"x".repeat(292)}[hidden]…`],
    ["secret-key ".repeat(1_000), `${"[hidden] ".repeat(34).slice(0, 300)}…`],
    // Found by fuzzing: the cut left the first half of a surrogate pair.
    [`${"x".repeat(299)}😀`, `${"x".repeat(299)}…`],
    [`${"x".repeat(298)}😀!`, `${"x".repeat(298)}😀…`],
  ])("has at most 300 characters, and shows when there were more: %s", (text, expected) => {
    expect(masked(text, "secret-key")).toBe(expected);
  });
});

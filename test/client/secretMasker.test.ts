import fc from "fast-check";
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

  test("without the whitespace around it", () => {
    expect(masked(`a secret-key-9, ${base64("secret-key-9")}`, " secret-key-9\n")).toBe(
      "a [hidden], [hidden]",
    );
  });

  test("each time, and each of several", () => {
    expect(masked("one: 1111-aaaa, 2222-bbbb and 1111-aaaa", "1111-aaaa", "2222-bbbb")).toBe(
      "one: [hidden], [hidden] and [hidden]",
    );
    expect(masked("1111-aaaa1111-aaaa", "1111-aaaa")).toBe("[hidden][hidden]");
    expect(masked("b a", "a", "b")).toBe("[hidden] [hidden]");
  });

  test("completely, when it begins like another", () => {
    expect(masked("key-0123456789-abc", "key-0123456789", "key-0123456789-abc")).toBe("[hidden]");
    expect(masked("key-0123456789-abc", "key-0123456789-abc", "key-0123456789")).toBe("[hidden]");
  });

  test("from 12 characters on, when only its beginning is quoted", () => {
    expect(masked("Sent: abcdefghijkl…", "abcdefghijklmnop")).toBe("Sent: [hidden]…");
    expect(masked("Sent: abcdefghijklmX", "abcdefghijklmnop")).toBe("Sent: [hidden]X");
    expect(masked("Sent: abcdefghijk…", "abcdefghijklmnop")).toBe("Sent: abcdefghijk…");
  });

  // Found by fuzzing: at the end of a word the lower case of Σ is another letter.
  test("when lower case depends on the position in a word, or has another length", () => {
    expect(masked("ΟΔΟΣα ΟΔΟΣ οδός οδοσ", "ΟΔΟΣ")).toBe("[hidden]α [hidden] οδός [hidden]");
    expect(masked("ßß secret-key x", "secret-key")).toBe("ßß [hidden] x");
    expect(masked("İİ secret-İx x", "secret-İx")).toBe("İİ [hidden] x");
  });

  test("wherever it is in a message, which stays one short line", () => {
    const around = fc.string({ unit: "binary", maxLength: 400 });
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{16,80}$/), around, around, (any, before, after) => {
        const message = masked(before + any + after, any);
        expect(message.toLowerCase()).not.toContain(any.toLowerCase());
        expect(message).toMatch(/^[^\p{Cc}]{0,301}$/u);
      }),
    );
  });
});

test("encoded forms of secrets with less than 8 characters are not masked: they occur in other words too", () => {
  expect(masked(`seven-7 ${base64("seven-7")}`, "seven-7")).toBe(`[hidden] ${base64("seven-7")}`);
  expect(masked(`eight-88 ${base64("eight-88")}`, "eight-88")).toBe(
    `[hidden] [hidden]${base64("eight-88").slice(10)}`,
  );
});

test("a secret with half a surrogate pair is masked without it", () => {
  expect(masked("it is secret-value, no more", "secret-value\ud800")).toBe("it is [hidden], no more");
});

test.each([[], [""], [" \n"]])("without a secret nothing is masked: %j", (...secrets) => {
  expect(masked("The key is not known.", ...secrets)).toBe("The key is not known.");
});

describe("a message", () => {
  test("is one printable line", () => {
    expect(masked(" \0 two\r\n\n lines\u202e,\u200b three \t words\ud800 ")).toBe("two lines , three words");
  });

  test("has at most 300 characters, and shows when there were more", () => {
    expect(masked("x".repeat(300))).toBe("x".repeat(300));
    expect(masked("x".repeat(301))).toBe(`${"x".repeat(300)}…`);
    expect(masked(`${"x".repeat(292)}secret-key more`, "secret-key")).toBe(`${"x".repeat(292)}[hidden]…`);
    expect(masked("secret-key ".repeat(1_000), "secret-key")).toBe(
      `${"[hidden] ".repeat(34).slice(0, 300)}…`,
    );
  });

  // Found by fuzzing: the cut left the first half of a surrogate pair.
  test("is cut between characters", () => {
    expect(masked(`${"x".repeat(299)}😀`)).toBe(`${"x".repeat(299)}…`);
    expect(masked(`${"x".repeat(298)}😀!`)).toBe(`${"x".repeat(298)}😀…`);
  });
});

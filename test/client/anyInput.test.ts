/** What the client promises of any outcome, any credential, any text and any id. */
import fc from "fast-check";
import { type AttemptResult } from "../../provider/client/http";
import { fillPath, idProblem } from "../../provider/api/path";
import { SecretMasker } from "../../provider/client/quote";
import { redactConfig } from "../../provider/client/redact";
import { isShown } from "../../provider/api/credentials";
import { mayRepeat, RetryBudget, waitAfter } from "../../provider/client/retry";

const retryAfters = fc.oneof(
  fc.integer({ min: -5, max: 1e6 }).map(String),
  fc.date({ noInvalidDate: true, min: new Date("2026-01-01"), max: new Date("2027-01-01") }).map(String),
  fc
    .date({ noInvalidDate: true, min: new Date("2026-01-01"), max: new Date("2027-01-01") })
    .map((date) => date.toUTCString()),
  fc.string(),
);
const outcomes: fc.Arbitrary<AttemptResult> = fc.oneof(
  fc.record({
    kind: fc.constant("break" as const),
    at: fc.constantFrom("unreachable", "stopped", "lost", "too large"),
    sent: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("answer" as const),
    status: fc.oneof(
      fc.integer({ min: 100, max: 599 }),
      fc.constantFrom(200, 201, 408, 429, 500, 502, 503, 504),
    ),
    body: fc.oneof(
      fc.string().map((text) => ({ text })),
      fc.json().map((text) => ({ text, json: JSON.parse(text) as unknown })),
    ),
    requestId: fc.constant(undefined),
    retryAfter: fc.option(retryAfters, { nil: undefined }),
  }),
);

describe("whatever came of an attempt", () => {
  it("a write is repeated only when it provably wasn't applied", () => {
    const provablyNotApplied = (outcome: AttemptResult): boolean =>
      outcome.kind === "break" ? !outcome.sent : outcome.status === 429;
    fc.assert(
      fc.property(outcomes, (outcome) => {
        expect(mayRepeat(outcome, false) && !provablyNotApplied(outcome)).toBe(false);
      }),
    );
  });

  it("a read is repeated whenever a write would be", () => {
    fc.assert(fc.property(outcomes, (outcome) => mayRepeat(outcome, true) || !mayRepeat(outcome, false)));
  });

  it("the next attempt comes within a minute", () => {
    const now = Date.parse("2026-06-01T12:00:00Z");
    fc.assert(
      fc.property(
        outcomes,
        fc.integer({ min: 1, max: 10 }),
        fc.float({ min: 0, max: 1, noNaN: true }),
        (outcome, attempt, part) => {
          const ms = waitAfter(outcome, attempt, now, () => part);
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThanOrEqual(60_000);
        },
      ),
    );
  });

  it("retries are at most a hundred, and one for each two successes", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 500 }), (successes) => {
        const budget = new RetryBudget();
        let refunds = 0;
        let spent = 0;
        for (const success of successes) {
          if (success) budget.refund();
          else if (budget.spend()) spent += 1;
          refunds += Number(success);
        }
        expect(spent).toBeLessThanOrEqual(100 + refunds / 2);
      }),
    );
  });
});

describe("whatever an alert channel's config holds", () => {
  const secret = "Zq7-credential";
  const credentials = fc.oneof(
    fc.string().map((text) => text + secret),
    fc.webUrl().map((url) => `${url}/${secret}`),
    fc.array(fc.record({ key: fc.string(), value: fc.constant(secret) }), { minLength: 1 }),
    fc.dictionary(fc.string(), fc.constant({ nested: [secret] }), { minKeys: 1 }),
  );
  const keys = fc.oneof(
    fc.string().filter((key) => !isShown(key)),
    fc.constantFrom("url", "template", "headers", "queryParameters", "webhookSecret", "serviceKey", "apiKey"),
  );

  it("no credential is shown", () => {
    fc.assert(
      fc.property(fc.dictionary(keys, credentials), fc.string(), (config, account) => {
        const redacted = redactConfig({ type: "WEBHOOK", config }, account);
        expect(Object.keys(redacted)).toEqual(Object.keys(config));
        expect(JSON.stringify(redacted)).not.toContain(secret);
      }),
    );
  });

  it("equal credentials have equal fingerprints, in whatever order their keys come", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        const of = (secrets: object) => redactConfig({ type: "WEBHOOK", config: { secrets } }, "account");
        expect(of(turned)).toEqual(of(value));
      }),
    );
  });
});

it("a quote is one short line without the secret, wherever that stands", () => {
  const secrets = fc.stringMatching(/^[!-~]{16,80}$/);
  const around = fc.string({ unit: "binary", maxLength: 400 });
  fc.assert(
    fc.property(secrets, around, around, (secret, before, after) => {
      const quoted = new SecretMasker([secret]).quote(before + secret + after);
      expect(quoted.toLowerCase()).not.toContain(secret.toLowerCase());
      expect(quoted).toMatch(/^[^\p{Cc}]{0,301}$/u);
    }),
  );
});

it("an id that is accepted is one segment of its path", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.nat()), (id) => {
      if (idProblem(id) !== undefined) return;
      const { pathname } = new URL(fillPath("/v1/things/{id}/parts", { id }), "https://example.com");
      expect(decodeURIComponent(pathname)).toBe(`/v1/things/${id}/parts`);
      expect(pathname.split("/")).toHaveLength(5);
    }),
  );
});

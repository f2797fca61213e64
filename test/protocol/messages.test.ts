/** What a user reads of each refusal, notice and preview. The guide on troubleshooting quotes most of them in full. */
import { noticeText, refusalText } from "../../provider/protocol/messages";
import { type Declaration, type Notice, type Refusal, type SearchMiss } from "../../provider/protocol";
import { declaration, update } from "./steps";

const since = "2026-01-01T12:00:00.000Z";
const rewritten = update("x", "Rewritten.");
const redated = { ...update("x"), publicIncidentUpdateDate: "2026-01-31T09:30:05Z" };
const unreadable = { incidentMissing: false, text: "HTTP 503." };
const missing = { incidentMissing: true, text: "HTTP 404." };

describe("a refusal", () => {
  const entry = { followedBy: [] };
  const by = "urn:pulumi:test::shop::a:index:Page$b:index:Update::twin";
  const twin = { why: "twin", by, id: "u", hasOwn: false } as const;
  const cases: readonly (readonly [refusal: Refusal, declared: Partial<Declaration>, text: RegExp])[] = [
    [
      twin,
      {},
      /: "twin" already declares this update \(u\)\. .* set `occurrence: 2` .*, with `dependsOn` on "twin"\.$/,
    ],
    [{ ...twin, hasOwn: true }, {}, /Nothing was posted\. Remove one of them\.$/],
    [
      { ...twin, differs: "occurrence" },
      {},
      /: update u is recorded for "twin", too, .* with `pulumi state delete`/,
    ],
    [
      { ...twin, differs: "content" },
      {},
      /: description is that of update u, which "twin" has, although it declares another one\. .* change its description\.$/,
    ],
    [twin, entry, /: "twin" already declares .* or change the words of this entry\.$/],
    [
      { why: "changedBack", id: "u", since, next: 3 },
      {},
      /: occurrence is 1, but an identical update \(u\) has existed since 2026-\S+Z: .* set `occurrence: 3`; .* rename the resource\.$/,
    ],
    [{ why: "changedBack", id: "u", next: 2 }, {}, /\(u\) has existed: this resource published it before\./],
    [
      { why: "occurrence", count: 1 },
      { occurrence: 3 },
      /: occurrence is 3, but 1 .* declare the earlier ones first/,
    ],
    [
      { why: "occurrence", count: 0 },
      entry,
      /but 0 .* an earlier entry .* Change the description of this entry\.$/,
    ],
    [
      { why: "unsettledTwin", by },
      {},
      /: "twin" sent an identical update, .* it is unknown whether that was published\./,
    ],
    [
      { why: "changed", fields: ["status", "description"] },
      {},
      /: status must not change: .* onChange is "refuse"\. .* as a new update; description must not change: /,
    ],
    [
      { why: "changed", fields: ["status"] },
      entry,
      /: the update is public\. .* a new last entry of the timeline\.$/,
    ],
    [
      { why: "later", id: "u" },
      entry,
      /: description .* after a later entry of this timeline \(u\)\. .* restore the state of the stack; .* as the last entry\.$/,
    ],
    [
      { why: "full", count: 100, isConsumed: false },
      {},
      /: description .* the latest 100 .* Check the public page: .* to "resend" for one run\.$/,
    ],
    [
      { why: "full", count: 100, isConsumed: true },
      {},
      /run `pulumi up` once without onUnconfirmed "resend", then once with/,
    ],
    [
      { why: "idRejected", text: "HTTP 422." },
      {},
      /: HTTP 422\. Nothing was posted\. .* set monitoring:clientIds to false\.$/,
    ],
  ];

  it.each(cases)("%j of %j", (refusal, declared, text) => {
    const said = refusalText(refusal, declaration(declared));
    expect(said).toMatch(/^IncidentUpdate on incident i: \w/);
    expect(said).toMatch(text);
  });

  it("of the service is what the service said", () => {
    expect(refusalText({ why: "failed", text: "HTTP 403." }, declaration())).toBe("HTTP 403.");
  });

  it("of a post that was lost says what the next run does", () => {
    const said = refusalText({ why: "lost", problem: "Sent once.", miss: {} }, declaration());
    expect(said).toMatch(
      /^Sent once\. Not found in the incident so far\. The state records it: .* nothing is posted until its result is known\.$/,
    );
  });
});

describe("an update that is still unconfirmed", () => {
  it.each<[SearchMiss, boolean, RegExp]>([
    [{}, false, /Not found in the incident so far\. .* to "resend"; or run `pulumi up` again later\.$/],
    [{}, true, /onUnconfirmed was "resend" when it was sent, .* once without "resend", then once with it/],
    [
      { lookalike: rewritten },
      false,
      /the new update x has the same status and a different description\. .* declare its description;/,
    ],
    [
      { lookalike: rewritten },
      false,
      /: only if this update is not there, .* `pulumi up` then publishes it\.$/,
    ],
    [
      { lookalike: redated },
      false,
      /a different public date \(2026-\S+Z\)\. .* declare its publicIncidentUpdateDate or omit yours;/,
    ],
    [{ lookalike: update("x") }, false, /a different public date \(none\)/],
    [
      { readProblem: unreadable },
      false,
      /: HTTP 503\. .* Run `pulumi up` again when the incident can be read\.$/,
    ],
    [
      { readProblem: missing },
      false,
      /The incident was not found on the service\. .* in another account, .* from the state with `pulumi state delete`, .* or declare another incidentId/,
    ],
  ])("after %j (consent used: %j) has a way out", (miss, isConsumed, text) => {
    const was = declaration({ incidentId: "before" });
    const said = refusalText({ why: "unconfirmed", miss, isConsumed }, declaration(), was);
    expect(said).toMatch(
      /^IncidentUpdate on incident before: a previous run sent .* This run posted nothing\. /,
    );
    expect(said).toMatch(text);
  });
});

describe("a notice", () => {
  const adopted = (description: string, more: object = {}): Notice => ({
    tell: "adopted",
    update: { ...update("u", description), ...more },
  });
  it.each<[Notice, string]>([
    [
      adopted("A"),
      `an identical update (u) has existed in incident i since ${since}; adopted, nothing posted.`,
    ],
    [adopted(" A\r\n"), "an identical update (u) has existed"],
    [adopted("edited"), "this update (u), edited since, has existed"],
    [adopted("A", { created_at: null }), "since an unknown time; adopted"],
    [adopted("A", { notifySubscribers: false }), "nothing posted."],
    [
      adopted("A", { notifySubscribers: true }),
      "nothing posted. It shows notifySubscribers true, not false as declared; no email is sent.",
    ],
    [{ tell: "several", count: 2, id: "u" }, "2 new updates of incident i match; the oldest, u, is assumed"],
    [{ tell: "found", incidentId: "j", id: "u" }, "update u was published on incident j by a previous run"],
    [{ tell: "resent", incidentId: "j" }, 'sent to incident j was not found, and onUnconfirmed is "resend"'],
    [{ tell: "waits", ms: 59_001, isLater: false }, "sent an identical update to incident i moments ago"],
    [
      { tell: "waits", ms: 59_001, isLater: true },
      "sent a later entry of the timeline to incident i moments ago",
    ],
    [{ tell: "waits", ms: 59_001, isLater: true }, "for up to 60 s before anything is posted."],
  ])("%j", (notice, text) => {
    const said = noticeText(notice, declaration());
    expect(said).toMatch(/^IncidentUpdate: /);
    expect(said).toContain(text);
    if (text.endsWith(".")) expect(said.endsWith(text)).toBe(true);
  });
});

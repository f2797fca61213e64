/** Tests which text is rejected or causes a warning before an update is public: each rule with its examples, and all rules together. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findWarnings,
  type Draft,
  draftWarnings,
  rejections,
  findRejections,
  textWarnings,
} from "../../provider/proofreading";
import * as corpus from "./corpus";

const reference = readFileSync(join(__dirname, "../../docs/reference/checks.md"), "utf8");
const now = Date.parse("2026-11-26T12:00:00Z");
const said = (text: string) => [
  ...findRejections(text),
  ...findWarnings({ declared: { description: text }, now }),
];

test.each([...rejections, ...textWarnings, ...draftWarnings])(
  "the reference states that text which $finds is reported, gives the reason, and shows both examples",
  ({ finds, why, example, passes }) => {
    const name = finds.replaceAll("&", "&amp;").replace(/[[\]<>{}]/g, "\\$&");
    const [, rule = ""] = reference.split(`- **${name}**. ${why}.\n`);
    const [examples = ""] = rule.split("\n- ");
    const line = (text: string) => text.replaceAll("\n", "⏎").replaceAll("\u001b", "␛");
    expect(examples).toContain(line(example));
    expect(examples).toContain(line(passes));
    expect([example, passes]).not.toContain("");
  },
);

test.each(rejections)(
  "text that $finds is rejected, and similar text isn't",
  ({ finds, why, example, passes }) => {
    const what = finds === "contains a credential" ? "contains a password in a URL" : finds;
    expect(findRejections(example)).toEqual([`${what}. ${why}`]);
    expect(said(passes)).toEqual([]);
  },
);

test("an output that was converted to a string is rejected even between backticks, because its error has several lines", () => {
  const error =
    "Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value of an Output<T> as an Output<string> consider either:\n" +
    "1: o.apply(v => `prefix${v}suffix`)\n2: pulumi.interpolate `prefix${v}suffix`";
  expect(findRejections(`Version \`${error}\` is deployed.`)).toHaveLength(1);
});

test.each(textWarnings)(
  "text that $finds causes a warning, and similar text doesn't",
  ({ finds, why, example, passes }) => {
    expect(said(example)).toEqual([`description ${finds}. ${why}`]);
    expect(said(passes)).toEqual([]);
  },
);

test.each(textWarnings)(
  "a name that $finds causes the same warning as a description",
  ({ finds, why, example }) => {
    const declared = { name: example, description: "Orders are slow." };
    expect(findWarnings({ declared, now })).toEqual([`name ${finds}. ${why}`]);
  },
);

/** Legitimate text that looks like an error or a credential. */
const goodTexts = [
  "Between 09:12 and 10:47 UTC, about 3 % of API requests failed with HTTP 503. We are sorry.",
  "Commit 8f14e45fceea167a5a36dedd4bea2543 introduced the fault; we reverted it.",
  "Image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 is safe to deploy again.",
  "Please include request id 4f3c2b1a-9d8e-4c7b-a6f5-0e1d2c3b4a59 in your ticket.",
  "See [the runbook][1].\n\n[1]: https://example.com/runbook",
  "<p>We are <strong>aware</strong> of the issue.</p><br/><small>Nov 24, 14:02 UTC</small>",
  '<a href="https://example.com/status">Status</a> and <span class="label">Maintenance</span>',
  "Set `<your-region>` in the console, then restart <service-name>.",
  "Type <Ctrl>+<F5> to reload the page.",
  "```\ncurl -H 'Authorization: Bearer $TOKEN' https://api.example.com/v1/me\n```\nworks again.",
  "```yaml\nspec:\n  template: {{ .Values.image }}\n```\nrenders again.",
  "The variable ${HOME2} is expanded again in build steps.",
  'The body was {"status": "degraded", "region": "eu-west-1"} until 12:40 UTC.',
  "Class action notices were sent twice; please ignore the second one.",
  "Async replication lags by 40 minutes (normal: 2 seconds).",
  "Requests from 203.0.113.42 and 2001:db8::17 were blocked by mistake.",
  "Agents of version 10.2.1.4 reconnect by themselves; those of v10.3.0.1 too.",
  "We host this page at a different location; a local outage doesn't affect it.",
  "We rotated our signing key; its fingerprint is SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDSC2tIqWbVqTdxA1M.",
  "New public key: ssh-ed25519 on https://example.com/keys. Update your known_hosts.",
  "Maintenance on Thursday, November 26, 2026 from 22:00 to 23:00 UTC.",
  "Maintenance on Thu, 26 Nov 2026, 22:00 CET (2026-11-26 (Thursday) 21:00 UTC).",
  "Next update by 14:30 UTC, or 2:30 pm GMT.",
  "The public key kq3Zr8vK9aBp1LwT5xBk3v is new; its key fingerprint is 8vK9aBp1LwT5xBk3vkq3Zr.",
  "The key Checkout7Api is read from https://docs.internal.example.com again.",
  "It will end on the 3rd, at the latest on the 13th or 21st at 11:30pm.",
  "That had had an effect: what it is is a cache. We know that that is odd.",
  "Numbers are written as +1 xxx xxx 0143 in exports.",
  "See https://example.com/a/XXX/TODO for the raw data, file FIXME.md excepted.",
  "[EU][US] Login is slow.",
  "Press [Add card] and [Enter code] again.",
  "A * marks regions that are still degraded; ~~ap-south-1~~ is done.",
  "Set notation {a, b} in math cells renders again.",
  "Order numbers such as A1B2-C3D4-E5F6 and 1Z999AA10123456784 are valid.",
  "jfk-lhr-hkg-nrt-cdg-zrh are back; rzeszow-wroclaw-szczecin follows.",
  "現在、決済APIで遅延が発生しています。調査中です。",
  "אנו חוקרים את התקלה. عذراً على الإزعاج.",
  "🎉 All clear! 👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 Thanks for your patience…",
  "Zero‑downtime roll‑out; we don’t expect further impact\u00a0– “all good”.",
  "co\u00adop\u00ader\u00ada\u00adtion with our provider continues.",
  "Feature flag `checkout.v2` = {on, off}; see https://example.com/flags#{id}.",
  "db => cache: the db latency is back to normal.",
  "The response was null.",
  "“[object Object]”, „[object Object]“, «[object Object]», 「[object Object]」 and ‘[object Object]’ are gone.",
  "Pages show '[object Object]', '%s', `` {name} `` and <code class='x'>%{name}</code> no more.",
  "See [[1]](https://example.com/1), %LOCALAPPDATA%, %APPDATA%, %TEMP%, %TMPDIR%, $JAVA_HOME and $GRADLE_USER_HOME.",
  "We said panic: no, and look at ./a.js:12, <?xml and 2001-01-01-01.",
  "~~~\n{{ a }}\n```\n{{ b }}\n~~~\nworks.",
  "~~~\nuse ~~~ around {{ b }}\n~~~\nworks.",
  "It is ```{{ x }}``` again.",
  // A program's output that is quoted as code, in any position.
  "The log:\n```\nError: Calling [toString] on an [Output<T>] is not supported.\n```\nWe are rolling back.",
  "Builds fail with `Calling [toString] on an [Output<T>] is not supported.` again.",
  "The log: ```\n[object Object]\n```",
  "- Step 1:\n  ```text\n  undefined {{ name }}\n  TODO\n  ```\n- Step 2",
  "> ~~~\n> [object Object]\n> ~~~",
  "1. ```\n   <no value>\n   ```",
  "The list (https://example.com/TODO) is complete, and s3://acme-exports/TODO is readable again.",
  "//cdn.acme.io/v4.js (old) => //cdn.acme.io/v5.js",
  "EU => US",
  "(EU) => US",
  "sync => async",
  'login => "login" in the new menus; nothing else has moved.',
  "C:\\uat\\logs is readable again.",
  "Merges with >>>>>>> main in a file are refused.",
  "Maintenance of the store begins at shop.acme.io today at 14:02",
  "Maintenance:\n  at shop.acme.io, 14:02 UTC",
  "Next updates:\n  at noon, then at 14:02",
  "Dates follow the rules of [RFC 9557]",
  "On Monday we said 2026-11-26. It ends 2026-11-27 at noon (Mon).",
  "Maintenance on Thursday, 26th of Nov. 2026, and on Friday, November 27, 2026.",
  "TODO PDF is a product, as is xTODO. So is [Add a card] or [Enter a code].",
  "Since 2026-11-26T10:00:00Z, v192.168.0.1.2, version 10.1.2.3, Release: 10.1.2.3 and firmware 10.1.2.3 work, as does build 10.1.2.3.",
  "Oracle 10.2.0.4 clients and App 10.4.17.3 work; allow 10.4.17.3\u201310.4.17.9 and host.docker.internal.",
  "\u2705",
  "Hosts of 192.0.2.7, 198.51.100.7 and http://[2001:db8::1] are examples; config.local is a file, a.internals none.",
];

test("usual text on status pages passes without a warning", () => {
  expect([...goodTexts, ...corpus.goodTexts].filter((text) => said(text).length > 0)).toEqual([]);
});

/** Passwords that directly follow their option, or that only an option identifies, and words that aren't English. */
const undetected = [
  "-pCgAsn8sSVqdVPc",
  "sshpass -p",
  "servicebus.windows.net",
  "recovery key",
  "パスワードは",
  "临时密码",
  "비밀번호",
];

test("all credentials of each form are rejected or cause a warning, except these", () => {
  const isSaid = (text: string) =>
    said(text).some((one) => /has (?:an?|what may be a) |credential/.test(one));
  const silent = corpus.credentials.map((text) => text.replaceAll("¦", "")).filter((text) => !isSaid(text));
  expect(silent.length).toBe(undetected.length);
  expect(undetected.filter((part) => !silent.join().includes(part))).toEqual([]);
});

test("leftovers of tools and templates are rejected or cause a warning", () => {
  expect(corpus.leftBehind.filter((text) => said(text).length === 0)).toEqual([]);
});

/** Text with errors that the examples of the rules don't contain. */
const mistaken = `
  Calling __str__ on an Output[T] is not supported.
  It affects <function text at 0x7f0a1b2c3d4e> alone.
  It affects %!s(MISSING) alone.
  It affects %!(EXTRA int=1) alone.
  It affects <app.Deploy object at 0x7f0a1b> alone.
  The teams' [object Object] of the users' pages is back.
  The 5' [object Object] of 6' pages is back.
  Rock 'n [object Object] isn't back.
  Rock '2 [object Object] 3'4 is back.
  render(x) { return x.y; }
  “null”\n
  „[object Object] is back.
  [object Object] is “back”.
  It affects \${region} alone.
  It affects {service  name} alone.
  It affects [[service]] alone.
  It affects %.12f alone.
  It affects $USER_NAME alone.
  It affects map[name:eu] alone.
  It affects caf\\u00e9 alone.
  It is back.\\r\\nThank you.
  It is back\\n
  It is back\\nThank you.
  It is back\\n\\nthanks to you.
  <body class="status">  <p>It is back.</p>
  Error: no\n\tat Object.run (/app/index.js:12)
  Error: no\n    at app.run.js:12:7
  [1;31mIt is back.[m
  It is back.\n[Your text 2]
  It affects {% now %} alone.
  It affects <%= x %> alone.
  [Incident Summary]
  \n[Incident Summary]\n
  See [describe the cause] below.
  See [insert the cause] below.
  We expect a fix by HH:MM.
  Lines begin with ~~~ for {{ customer }}.
  It affects \`\`a\`\`, {{ b }} and \`c\`.
  It affects 192.168.7.12. Thank you.
  It affects 10.0.4.17 alone.
  See ws://jenkins.
  See http://jenkins.
  See ftp://jenkins.
  See sftp://user@jenkins.
  See http://[::ffff:10.0.0.7].
  Host 10.4.17.3 is down.
  Since release 7, host 10.4.17.3 is down.
  It affects printer.local alone.
  It affects db.config.local alone.
  It affects config.local.corp alone.
  It affects 10.4.17.3, not the version 2.
  See http://cafe.
  It is back.<!---->
  &nbsp; &zwnj;
  ***
  It affects fd12:3456:789a::12 alone.
  It affects fd12:2001:db8::1 alone.
  It affects fd12:3456:: alone.
  It affects db2.prod.corp: alone.
  It affects localhost. Thank you.
  Tuesday, 26th of Nov 2026: it begins.
  Tuesday, 26th November 2026
  Tuesday the 26th of Nov 2026
  Tuesday, November 26th 2026`;

test("each of these lines is rejected or causes a warning", () => {
  const texts = mistaken.trim().split(/\n {2}(?! )/);
  expect(texts.filter((text) => said(text).length === 0)).toEqual([]);
});

test("a day of the week must match the date next to it, in each form of the date", () => {
  const right = ["Thu", "Thur", "Thurs", "thursday"];
  const wrong = "Sun Sunday Mon Monday Tue Tues Tuesday Wed Weds Wednesday Fri Friday Sat saturday".split(
    " ",
  );
  const besides = (day: string) => [`${day}, 2026-11-26`, `${day} 2026-11-26`];
  const silent = [...right, ...wrong].flatMap(besides).filter((text) => said(text).length === 0);
  expect(silent).toEqual(right.flatMap(besides));
});

test("an empty description is rejected only by its field's schema", () => {
  expect(["", " \n"].flatMap(findRejections)).toEqual([]);
});

const update = (status: string, minutesAgo: number, description = "All good.") =>
  ({ id: "u", status, description, created_at: new Date(now - minutesAgo * 60_000).toISOString() }) as const;
const shows = (...incidentUpdates: ReturnType<typeof update>[]): Draft["incident"] => ({
  id: "i",
  name: "Checkout",
  created_at: "2026-11-26T08:00:00Z",
  incidentUpdates,
});
const at = (publicIncidentUpdateDate: string) => ({ publicIncidentUpdateDate });
const same = { status: "MONITORING", description: "All good." } as const;
const before = shows(update("RESOLVED", 90));
const open = shows(update("MONITORING", 30), update("INVESTIGATING", 90));
const monitoredFor = (minutes: number) => shows(update("MONITORING", minutes));
const date = "publicIncidentUpdateDate";
/** The updates were entered newest first, but readers see them in the order of their public dates. */
const backfilled = shows(
  { ...update("INVESTIGATING", 1), ...at("2026-11-26T08:00:00Z") },
  { ...update("RESOLVED", 3), ...at("2026-11-26T11:00:00Z") },
);
const createIncident = (created_at: string) => ({ ...shows(), created_at }) as Draft["incident"];
const planned = createIncident("2026-11-26T13:00:00Z");
const beginning = createIncident("2026-11-26T12:00:00Z");
const untimed = shows({ ...update("MONITORING", 1), created_at: "soon" });
const older = shows({ ...update("INVESTIGATING", 30), ...at("2026-11-26T07:00:00Z") });

const cases: [string, Draft["declared"], Draft["incident"], string | undefined][] = [
  ["opens an incident", { status: "MONITORING" }, before, "status reopens the incident"],
  ["is a post-mortem", { status: "RESOLVED" }, before, undefined],
  [
    "resolves a resolved incident, with an email",
    { status: "RESOLVED", notifySubscribers: true },
    before,
    "status is RESOLVED, and every subscriber is emailed, but the incident is already resolved",
  ],
  ["goes back before the end", { status: "INVESTIGATING" }, open, undefined],
  ["is eleven minutes ahead", at("2026-11-26T12:11:00Z"), open, `${date} is in the future`],
  ["is ten minutes ahead", at("2026-11-26T12:10:00Z"), open, undefined],
  ["is of another era", at("0026-11-26T12:00:00Z"), shows(), `${date} is before the start of the incident`],
  [
    "is of another era, beside one without a time",
    at("0026-11-26T12:00:00Z"),
    untimed,
    `${date} is before the`,
  ],
  ["is before an incident that begins now", at("2026-11-26T11:30:00Z"), beginning, `${date} is before the`],
  ["is of when the incident began", at("2026-11-26T08:00:00Z"), shows(), undefined],
  ["is of the same second as the newest one", at("2026-11-26T11:30:00Z"), open, undefined],
  [
    "is entered later, with an email",
    { ...at("2026-11-26T09:59:00Z"), notifySubscribers: true },
    shows(),
    `${date} is in the past, but every`,
  ],
  [
    "is entered two hours later",
    { ...at("2026-11-26T10:00:00Z"), notifySubscribers: true },
    shows(),
    undefined,
  ],
  ["opens a backfilled incident", { status: "MONITORING" }, backfilled, "status reopens the incident"],
  [
    "is before the newest one",
    at("2026-11-26T11:00:00Z"),
    open,
    `${date} is earlier than the date of the newest`,
  ],
  ["is identical", { ...same, ...at("2026-11-26T11:59:00Z") }, monitoredFor(14), "description and status"],
  ["is identical to an older one", same, monitoredFor(15), undefined],
  ["has the words of one without a time", same, untimed, undefined],
  ["has the words of one with another status", { ...same, status: "IDENTIFIED" }, monitoredFor(1), undefined],
  ["is the first one", same, shows(), undefined],
  ["has no words yet", { status: "MONITORING" }, monitoredFor(1), undefined],
  ["has no status yet", {}, before, undefined],
  ["has an incident that nobody could read", { status: "MONITORING" }, undefined, undefined],
  ["has a date of more than 390 days ago", { description: "Since 2025-11-01" }, shows(), undefined],
  ["has a date of less than 340 days ago", { description: "Since 2025-12-22" }, shows(), undefined],
  ["has a number like a date", { description: "Orders since 2025-11-02-17" }, shows(), undefined],
  ["is before an incident that is planned", at("2026-11-26T11:30:00Z"), planned, undefined],
  ["is between the first update and the incident", at("2026-11-26T07:30:00Z"), older, undefined],
];

test.each(cases)("an update that %s", (_, declared, incident, warning) => {
  const told = findWarnings({ declared, incident, now });
  expect(told).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)]);
});

test("an edit sends no email, and isn't compared with the newest update", () => {
  const late = { ...at("2026-11-26T09:59:00Z"), notifySubscribers: true, ...same };
  expect(findWarnings({ declared: late, incident: monitoredFor(14), now }).length).toBe(3);
  expect(findWarnings({ declared: late, incident: monitoredFor(14), now, isEdit: true })).toEqual([]);
});

test("an incident that an update of the same program resolved may be resolved again, with an email", () => {
  const declared = { status: "RESOLVED", notifySubscribers: true } as const;
  expect(findWarnings({ declared, incident: before, now, isNewestDeclared: true })).toEqual([]);
});

test("each rule on an update has a case", () => {
  const told = cases.flatMap(([, , , warning]) => warning ?? []);
  expect(draftWarnings.filter(({ finds }) => !told.some((warning) => finds.startsWith(warning)))).toEqual([]);
});

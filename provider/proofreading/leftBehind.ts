/** What tools and templates leave in a text where a value is missing or text was converted twice. */

/** The readings of a text: as it is declared, without quotations, without code, also without addresses, and without all of them. */
export type Part = "text" | "plain" | "prose" | "words" | "unquoted";

/** A form of what is left, a text that has it, and one like it that hasn't. Each form has a row of its own. */
type Row = readonly [form: RegExp, example: string, passes: string];

export interface Left {
  /** The reading in which it counts. */
  readonly in: Part;
  readonly finds: string;
  readonly why: string;
  readonly rows: readonly Row[];
}

const why = "write what it stands for, or put it between backticks if it is meant";

/** What nobody means to publish. */
export const refused: readonly Left[] = [
  {
    in: "text",
    finds: "has the error of an output that was made a string",
    why: "the value isn't known while the program runs. Build the text by pulumi.interpolate, pulumi.jsonStringify or apply",
    rows: [
      [
        /Calling \[?(?:to(?:String|JSON)|__str__)\]? on an \[?Output/,
        "Moved to Calling [toString] on an [Output<T>] is not supported.",
        "Calling the API fails.",
      ],
    ],
  },
  {
    in: "plain",
    finds: "has [object Object], or another value that isn't a text",
    why: "write the property that you mean. If the incident is about it, put it between quotes or backticks",
    rows: [
      [
        /\[object [A-Z]\w*\]/,
        "We moved to [object Object].",
        'The page shows "[object Object]" in place of names.',
      ],
      [
        /<(?:function|bound method|[\w.]+ object)\b[^\n]{0,200}? at 0x[\da-f]+>/,
        "It affects <function text at 0x7f0a1b2c3d4e> alone.",
        "It affects <a function> at 0x7f alone.",
      ],
      [
        /%!\w?\((?:MISSING|EXTRA |[\w.*]+=)/,
        "It affects %!s(MISSING) alone.",
        "It affects 7%! (MISSING pages) alone.",
      ],
      [/\{0xc0[\da-f]{8}\}/, "It affects {0xc000123abc} alone.", "It affects 0xc000123abc alone."],
    ],
  },
  {
    in: "text",
    finds: "is undefined, null or NaN",
    why: "a value was missing when the text was made",
    rows: [
      [
        /^["'`\u2018-\u201e]*(?:undefined|null|NaN|None|nil|<nil>)["'`.\u2018-\u201e\u2026]*$/,
        '"undefined".',
        "A null value in a response broke the app.",
      ],
    ],
  },
];

/** What may be a mistake. */
export const leftBehind: readonly Left[] = [
  {
    in: "prose",
    finds: "has a part of a template, such as {{…}}, ${…}, {name} or {one | other}",
    why,
    rows: [
      [/\{\{[^{}]*\}\}/, "Hello {{ customer.name }}.", "We render `{{ customer.name }}` again."],
      [/\{[%#][^%#\n]*[%#]\}/, "{% if region %}Europe is affected.", "It affects {%} alone."],
      [/<%[^%\n]*%>/, "<%= component %> is slow.", "Errors are at <% 5 again."],
      [/\$\{(?![A-Z][A-Z\d_]*\})[^{}]*\}/, "${component} is slow.", "${REGION} is expanded again."],
      [/\{IF\s/, '{IF "eu"} is slow.', "{IFS} is read again."],
      [
        /(?<![{$])\{(?=[^{}"'`=<>]*[\p{L}\d]\s+[\p{L}\d])[^{}"'`=<>]*\}/u,
        "It affects {service name} alone.",
        'The API returned {"status": "ok"}.',
      ],
      [
        /(?<![{$])\{(?=[^{}"'`=<>]*[\p{L}\d]\s*\|\s*[\p{L}\d])[^{}"'`=<>]*\}/u,
        "It affects {one | other} alone.",
        "It affects {one, other} alone.",
      ],
      [
        /(?<![\w/{}$#=\\^\]])#?\{(?!id\})(?:[a-z][\w.]*|\d)\}(?![\w/}])/,
        "{component} is slow.",
        "We serve /users/{name} and {id} again.",
      ],
      [
        /(?<![\w/{}$#=\\^\]])\{\w*:\.?\d*[A-Za-z%]\d*\}(?![\w/}])/,
        "It takes {total:.2f} minutes.",
        "It takes {3:2} minutes.",
      ],
      [/\*\|\w{1,40}\|\*/, "Dear *|FNAME|*, it is slow.", "The sets *|a b|* are drawn again."],
      [/\[\[\w{1,40}\]\](?!\()/, "It affects [[service]] alone.", "See [[1]](https://example.com/1)."],
      [/##[A-Z_]{3,40}##/, "It affects ##SERVICE## alone.", "## SERVICES ## are back."],
    ],
  },
  {
    in: "unquoted",
    finds: "has a place for a value, such as %s or $TIMESTAMP",
    why,
    rows: [
      [
        /(?<![\w%])%(?:\d\$)?[-+]?\d{0,3}(?:\.\d{1,2})?[sdvifg@](?![\w'\u2019])/,
        "Errors in %s are rising.",
        "It is at 100%, with 5%d'accord.",
      ],
      [/(?<![\w%])%\(\w{1,40}\)[sd](?![\w'\u2019])/, "Dear %(name)s, it is slow.", "It fell by 5%(a day)s."],
      [
        /(?<![\w$])\$(?!\w*_HOME\b)(?:[A-Z]+_[A-Z_]+|[A-Z]{6,})(?!\w)/,
        "We look into it since $TIMESTAMP.",
        "It no longer reads $JAVA_HOME.",
      ],
      [
        /(?<![\w$])\$(?:DATE|TIME|NAME|HOST|TITLE)(?!\w)/,
        "It is back since $TIME.",
        "It costs $5 at US$TIME.",
      ],
      [/(?<![\w$])\$\([A-Z_]{3,}\)(?!\w)/, "It affects $(NAME) alone.", "It affects $(US) alone."],
      [
        /%(?!(?:LOCAL)?APPDATA|TE?MP|PATH|PROGRAM|USER|SYSTEM|WINDIR)[A-Z][A-Z_]{3,}%/,
        "It affects %COMPONENT% alone.",
        "It writes to %APPDATA% again.",
      ],
      [
        /(?<!\w)__(?!(?:UPDATE|NOTE|IMPORTANT|[A-Z]+(?:ED|ING))__)[A-Z][A-Z_]+__(?!\w)/,
        "It affects __COMPONENT__ alone.",
        "__RESOLVED__: it is back.",
      ],
      [/@@\w{1,40}@@/, "It affects @@COMPONENT@@ alone.", "Diffs with @@ -1 +1 @@ are shown again."],
    ],
  },
  {
    in: "unquoted",
    finds: "has a value that is missing or was no date, such as undefined, <no value> or Invalid Date",
    why,
    rows: [
      [
        /(?<![\w-])(?:undefined|NaN)(?![\w-])/,
        "It takes NaN minutes.",
        "Pages showed `undefined` for a price.",
      ],
      [
        /<(?:no value|nil|null|none)>/,
        "The service <no value> is slow.",
        "The service <none at all> is slow.",
      ],
      [/\bmap\[\w+:/, "It affects map[region:eu].", "It affects the map [region: EU]."],
      [/\bInvalid Date(?:Time)?\b/, "Work begins on Invalid Date.", 'Pages showed "Invalid Date".'],
      [/#(?:REF!|VALUE!|N\/A|NAME\?|DIV\/0!)/, "Affected users: #REF!", "Affected users: n/a"],
      [
        /\b(?:1970|0001)-01-01T00:00|Jan 0?1 1970/,
        "Since 1970-01-01T00:00:00Z, it fails.",
        "Since 1970 it ran.",
      ],
      [/\[Function: |Promise \{ </, "It affects [Function: name] alone.", "It affects [Functions] alone."],
      [/System\.\w+\[\]/, "It affects System.String[] alone.", "It affects System.String alone."],
      [/\(null\)/, "It affects (null) alone.", "It affects (nullable) columns alone."],
      [
        /[Tt]ranslation missing: \w/,
        "translation missing: en.status",
        "A translation is missing: it follows.",
      ],
    ],
  },
  {
    in: "prose",
    finds: "has text that was encoded twice, such as &amp;amp; or â€™",
    why,
    rows: [
      [
        /&amp;(?:\w{2,8}|#x?[\da-f]{1,6});/i,
        "Search &amp;amp; export are slow.",
        "R&D &amp; search are back.",
      ],
      [/\ufffd|\u00ef\u00bf\u00bd/i, "The cafï¿½ is open again.", "The café is open again."],
      [/\u00e2\u20ac.|\u00f0\u0178/i, "Weâ€™re back.", "We’re back in the â region."],
      [
        /\u00c3[\u00a1-\u00ba\u00bc-\u00be]|\u00c2[\u00a0-\u00ba\u00bc-\u00bf]/i,
        "The cafÃ© is open again.",
        "SÃO PAULO is back.",
      ],
      [/\\u[\da-f]{4}/i, String.raw`It affects caf\u00e9 alone.`, String.raw`C:\uat\logs is readable again.`],
    ],
  },
  {
    in: "unquoted",
    finds: "has a line break that was written as \\n",
    why,
    rows: [
      [
        /(?<!\b[A-Z]:)(?<=[\w)\]][.!?:;,)])\\(?:r\\)?[nt]/,
        String.raw`We are back.\nThank you.`,
        String.raw`C:\network is back.`,
      ],
      [/\\(?:r\\)?n(?=\\(?:r\\)?n|\s|$|[A-Z*#])/, String.raw`We are back\n`, String.raw`Use \d\n\d again.`],
    ],
  },
  {
    in: "prose",
    finds: "has what a tool printed: a merge conflict, a stack trace, codes of a terminal, or a whole page",
    why,
    rows: [
      [/^(?:<{7}|>{7}|\|{7}) /m, "<<<<<<< HEAD", "Files with <<<<<<< HEAD are refused."],
      [/<!doctype html/i, "<!DOCTYPE html><p>Not Found", "The doctype html is sent again."],
      [
        /<(?:html|head|body)\b[^<>]{0,80}>\s{0,8}</i,
        "<body>\n<h1>Not Found</h1>",
        "<p>The head of the queue moves again.</p>",
      ],
      [
        /Traceback \(most recent call last\)/i,
        "Traceback (most recent call last):",
        "The traceback is shown again.",
      ],
      [
        /^[ \t]{1,8}at \S{0,80}[./].{0,200}:\d+\)?$/im,
        "Error\n    at Object.run (/app/index.js:12)",
        "Maintenance:\n  at shop.acme.io, 14:02 UTC",
      ],
      [/^panic: /im, "panic: no route", "Don't panic: it is back."],
      [/^<\?xml /im, '<?xml version="1.0"?><p>Not Found', "Feeds begin with <?xml again."],
      [/\[38;5;\d/, "\u001b[38;5;196mIt is down.", "Pages [38;5] are back."],
      [/\[(?:[01];)?[349]\dm(?!\])[^]{0,200}\[0?m/i, "[31mIt is down[0m", "The walk of [30m] is back."],
      [/^[^\S\n]{0,8}\{\s{0,8}"\w/m, '{"error": "no"}', 'It returned {"error": "no"}.'],
      [/\[missing "/i, '[missing "en.status" translation]', "[missing] is shown for it."],
    ],
  },
  {
    in: "prose",
    finds: "has a comment, which feeds and emails show",
    why: "remove it, or put it between backticks if it is meant",
    rows: [
      [/<!--/, "It is back. <!-- ask legal before we name them -->", "Pages with `<!-- more -->` are back."],
      [
        /^\[(?:\/\/|comment|_)\]: /im,
        "It is back.\n\n[//]: # (ask legal)",
        "See [1].\n\n[1]: https://example.com",
      ],
    ],
  },
  {
    in: "words",
    finds: "has a mark such as TODO, XX:XX or lorem ipsum",
    why,
    rows: [
      [
        /(?<![\p{L}\d_])(?:TODO(?!\s\p{Lu}{2})|FIXME)(?![\p{L}\d_]|\.\w)/u,
        "TODO: describe the impact.",
        "Details follow at https://example.com/TODO.",
      ],
      [
        /(?<![\p{L}\d_])(?:X{3,}|XX:XX|HH:MM)(?![\p{L}\d_]|\.\w)/u,
        "We expect a fix by XX:XX UTC.",
        "The ETA is TBD, for sizes up to XXL.",
      ],
      [
        /(?<![\p{L}\d_])(?:[Ll]orem ipsum|LOREM IPSUM)(?![\p{L}\d_])/u,
        "Lorem ipsum dolor sit amet.",
        "Lorem is our editor.",
      ],
    ],
  },
  {
    in: "prose",
    finds: "has a placeholder in brackets",
    why,
    rows: [
      [/^\s*\[\p{Lu}[\p{L}\d\s',./-]*\]\s*$/u, "[Incident Summary]", "[EU][US] Login is slow."],
      [/^\s*\[(?:add|enter)\s[^\][\n]*\]\s*$/u, "[add a text]", "Press [add a card] again."],
      [
        /\[(?:[Ii]nsert|[Yy]our|[Dd]escribe|INSERT|YOUR|DESCRIBE)\s[^\][\n]*\](?![([:])/,
        "We fixed [insert the cause].",
        "See [your dashboard](https://example.com/dashboard).",
      ],
    ],
  },
];

/** Lists leftovers of tools and templates, such as a placeholder for a missing value, or text that was converted twice. */

/** The readings of an update's text: as declared, without code, and without code, URLs and quotations. */
export type Part = "text" | "prose" | "unquoted";

export interface LeftoverRule {
  /** The reading that the forms are searched in. */
  readonly in: Part;
  readonly finds: string;
  readonly why: string;
  readonly forms: readonly RegExp[];
  /** Text with the leftover, and similar text without it. */
  readonly example: string;
  readonly passes: string;
}

const why = "Replace it with the intended text. If it is meant literally, put it in backticks";

/** Leftovers that are never intended. They reject the update. */
export const leftoverErrors: readonly LeftoverRule[] = [
  {
    // The error spans several lines, so backticks around an output don't turn it into code.
    in: "prose",
    finds: "contains an output that was converted to a string",
    why: "Its value isn't known yet: use pulumi.interpolate, pulumi.jsonStringify or apply",
    forms: [/Calling \[?(?:to(?:String|JSON)|__str__)\]? on an \[?Output/],
    example: "Moved to Calling [toString] on an [Output<T>] is not supported.",
    passes: "Calling the API fails.",
  },
  {
    in: "unquoted",
    finds: "contains [object Object] or another value that isn't a string",
    why: "Use the property that you mean. If the incident is about this value, put it in quotes or backticks",
    forms: [
      /\[object [A-Z]\w*\]/,
      /<(?:function|bound method|[\w.]+ object)\b[^\n]{0,200}? at 0x[\da-f]+>/,
      /%!\w?\((?:MISSING|EXTRA |[\w.*]+=)/,
    ],
    example: "We moved to [object Object].",
    passes: 'The page shows "[object Object]" instead of names.',
  },
  {
    in: "text",
    finds: "is undefined, null or NaN",
    why: "A value was missing when the text was built",
    forms: [/^["'`\u2018-\u201e]*(?:undefined|null|NaN|None|nil|<nil>)["'`.\u2018-\u201e\u2026]*$/],
    example: '"undefined".',
    passes: "A null value in a response broke the app.",
  },
];

/** Leftovers that may be intended. They cause a warning. */
export const leftoverWarnings: readonly LeftoverRule[] = [
  {
    in: "prose",
    finds: "contains a part of a template, such as {{…}}, ${…}, {name} or [Incident Summary]",
    why,
    forms: [
      /\{\{[^{}]*\}\}|\{[%#][^%#\n]*[%#]\}|<%[^%\n]*%>|\$\{(?![A-Z][A-Z\d_]*\})[^{}]*\}/,
      /(?<![{$])\{(?=[^{}"'`=<>]*[\p{L}\d]\s+[\p{L}\d])[^{}"'`=<>]*\}/u,
      /(?<![\w/{}$#=\\^\]])#?\{(?!id\})(?:[a-z][\w.]*|\d)\}(?![\w/}])|\[\[\w{1,40}\]\](?!\()/,
      /^\s*\[\p{Lu}[\p{L}\d\s',./-]*\]\s*$|\[(?:[Ii]nsert|[Yy]our|[Dd]escribe)\s[^\][\n]*\](?![([:])/u,
    ],
    example: "Hello {{ customer.name }}.",
    passes: "We render `{{ customer.name }}` again, and serve /users/{name}.",
  },
  {
    in: "unquoted",
    finds: "contains a placeholder, such as %s or $TIMESTAMP",
    why,
    forms: [
      /(?<![\w%])%(?:(?:\d\$)?[-+]?\d{0,3}(?:\.\d{1,2})?[sdvifg@]|\(\w{1,40}\)[sd])(?![\w'\u2019])/,
      /(?<![\w$])\$(?!\w*_HOME\b)(?:[A-Z]+_[A-Z_]+|[A-Z]{6,})(?!\w)/,
      /%(?!(?:LOCAL)?APPDATA|TE?MP|PATH|PROGRAM|USER|SYSTEM|WINDIR)[A-Z][A-Z_]{3,}%|@@\w{1,40}@@/,
      /(?<!\w)__(?!(?:UPDATE|NOTE|IMPORTANT|[A-Z]+(?:ED|ING))__)[A-Z][A-Z_]+__(?!\w)/,
    ],
    example: "Errors in %s are rising.",
    passes: "It is at 100%, writes to %APPDATA%, and no longer reads $JAVA_HOME.",
  },
  {
    in: "unquoted",
    finds: "contains a missing or invalid value, such as undefined, <no value> or Invalid Date",
    why,
    forms: [
      /(?<![\w-])(?:undefined|NaN)(?![\w-])|<(?:no value|nil|null|none)>|\bmap\[\w+:/,
      /\bInvalid Date(?:Time)?\b|\b(?:1970|0001)-01-01T00:00|#(?:REF!|VALUE!|N\/A|NAME\?|DIV\/0!)/,
      /[Tt]ranslation missing: \w/,
    ],
    example: "It takes NaN minutes.",
    passes: "Pages showed `undefined` for a price.",
  },
  {
    in: "prose",
    finds: "contains text that was encoded twice, such as &amp;amp; or â€™",
    why,
    forms: [
      /&amp;(?:\w{2,8}|#x?[\da-f]{1,6});|\ufffd|\u00ef\u00bf\u00bd|\u00e2\u20ac.|\u00f0\u0178|\\u[\da-f]{4}/i,
      /\u00c3[\u00a1-\u00ba\u00bc-\u00be]|\u00c2[\u00a0-\u00ba\u00bc-\u00bf]/i,
    ],
    example: "Weâ€™re back.",
    passes: "R&D &amp; search are back in SÃO PAULO.",
  },
  {
    in: "unquoted",
    finds: "contains a line break that was written as \\n",
    why,
    forms: [/(?<!\b[A-Z]:)(?<=[\w)\]][.!?:;,)])\\(?:r\\)?[nt]|\\(?:r\\)?n(?=\\(?:r\\)?n|\s|$|[A-Z*#])/],
    example: String.raw`We are back.\nThank you.`,
    passes: String.raw`C:\network is back.`,
  },
  {
    in: "prose",
    finds:
      "contains the output of a tool, such as a merge conflict, a stack trace, terminal codes or an HTML page",
    why,
    forms: [
      /^(?:<{7}|>{7}|\|{7}) |^[ \t]{1,8}at \S{0,80}[./].{0,200}:\d+\)?$/m,
      /<!doctype html|<(?:html|head|body)\b[^<>]{0,80}>\s{0,8}<|Traceback \(most recent call last\)/i,
      /\[(?:[01];)?[349]\dm(?!\])[^]{0,200}\[0?m|\[missing "/i,
    ],
    example: "<<<<<<< HEAD",
    passes: "Files with <<<<<<< HEAD are rejected.",
  },
  {
    in: "prose",
    finds: "contains a comment that is visible in feeds and emails",
    why: "Remove the comment. If it is meant literally, put it in backticks",
    forms: [/<!--|^\[(?:\/\/|comment|_)\]: /im],
    example: "It is back. <!-- ask legal before we name them -->",
    passes: "Pages with `<!-- more -->` are back.",
  },
  {
    in: "unquoted",
    finds: "contains a marker such as TODO, XX:XX or lorem ipsum",
    why,
    forms: [
      /(?<![\p{L}\d_])(?:TODO(?!\s\p{Lu}{2})|FIXME|X{3,}|XX:XX|HH:MM)(?![\p{L}\d_]|\.\w)|[Ll]orem ipsum/u,
    ],
    example: "TODO: describe the impact.",
    passes: "Details follow at https://example.com/TODO, for sizes up to XXL.",
  },
];

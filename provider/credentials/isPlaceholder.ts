/** Recognizes values that stand for a value nobody has filled in, such as `YOUR/WEBHOOK/URL`. */

/** What only an instruction to replace it contains, wherever it is. */
const instructions = [
  /<[^<>]*[a-z][^<>]*>|\[[a-z][a-z _-]*\]/i,
  /\$\{[^}]*\}|\$\([^)]*\)|%[A-Z][A-Z_]{3,}%|\bprocess\.env\b|\bsecrets\.[A-Z]/,
  /YOUR|(?:^|[^a-z])your(?:[_@/]|$)|(?:^|[/@=:.([{"'\s])your(?=[_/@.\s]|$)/,
  /(?:^|[^a-z])(?:your[-_ ]?(?:account|api|app|channel|company|domain|email|endpoint|here|hook|host|id|instance|integration|key|name|number|org|organization|password|path|project|routing|secret|server|service|site|slack|subdomain|team|tenant|token|url|user|webhook|workspace)|my[-_ ]?(?:api[-_ ]?key|token|secret|password|company|domain|org))(?![a-z])/i,
  /\bREPLACE(?![a-z])|(?:^|[^a-z])replace[-_ ]?(?:me|with|this|w)(?![a-z])/i,
  /(?:^|[^a-z])(?:change[-_ ]?(?:me|it|this)|fill[-_ ]?(?:in|me|out)|insert[-_ ]?(?:your|here|the|key|token|url|webhook))(?![a-z])/i,
  /placeholder|(?:^|[^a-z])(?:redacted|fixme|dummy)(?![a-z])/i,
  /(?:^|[^A-Za-z])(?:TODO|TBD)(?![A-Za-z])/,
];

/** The same in a text for people, which may well say "your site" or "to do". */
const instructionInText =
  /YOUR[_-]|(?:^|[^a-z])your[-_][a-z]|FILL[_-]IN|REPLACE[_-]|INSERT[_-]|(?:change|replace)[-_]?me(?![a-z])/;

/** What random characters don't contain. */
const unlikely = [
  /x{4,}|(?<![a-z0-9])x{3,}(?![a-z0-9])/i,
  /\*{3,}|\.{3,}|\u2026/,
  /0{8,}|123456789|abcdefgh|(?<![a-z0-9])abc-?123(?![a-z0-9])/i,
  /(?<![A-Za-z0-9_])[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|URL|WEBHOOK|PASSWORD|HOOK|PATH|ID)(?![A-Za-z0-9_])/,
];

const words =
  /^(?:foo|bar|baz|test|testing|secret|key|token|password|pass|dummy|example|sample|abc|xyz|none|null|nil|undefined|todo|tbd|n\/?a|url|uri|webhook|hook|tmpl|template|body|string|value|\[object object\]|(?:web)?hook[-_ ]?(?:url|secret)|(?:api|service|integration)[-_ ]?key|(?:my|foo|some|fake|test|the)[-_ ]?(?:api[-_ ]?|service[-_ ]?)?(?:key|token|secret|url|password|webhook))[-_]?\d*$/i;

/** Whole domains that stand for any: those that RFC 2606 reserves, and those of examples. */
const domains =
  /(?:^|[.@])(?:example\.(?:com|net|org|edu)|(?:your|my|some)?(?:domain|company|website|email|site|org|server|host)\.(?:com|tld|org|net)|(?:foo|bar|baz|test|somewhere|something|address|acme-corp)\.com|foo\.(?:bar|org|io)|bar\.(?:foo|baz)|[a-z0-9.-]+\.(?:invalid|test|tld))$/i;
/** Domains of examples at which people also have mailboxes. */
const mailProviders = /^(?:email|mail|company)\.com$/i;
const anybody =
  /^(?:you|your|user|username|name|me|email|mail|test|foo|bar|someone|somebody|john|jane|j?doe|(?:john|jane)[._-]?doe|first[._-]?(?:name[._-]?)?last(?:name)?)\d*$/i;

/** What follows isn't looked at: it would take a time that grows with the square of the length. */
const longest = 4_096;

/** Services reject shorter keys. */
const shortestKey = 16;

/** Whether the value of a setting of an alert channel is a placeholder. References to secrets aren't any. */
export function isPlaceholder(key: string, given: unknown): boolean {
  if (typeof given !== "string") return false;
  const value = given.slice(0, longest);
  const text = value.replace(/\{?\{\{[^{}]*\}\}\}?/g, "").trim();
  if (text === "") return false;
  switch (key) {
    case "address":
      return isPlaceholderAddress(text);
    case "url":
      return has(instructions, text) || has(unlikely, text) || isPlaceholderUrl(value.trim());
    case "template":
      return instructionInText.test(text) || words.test(text);
    case "serviceKey":
    case "apiKey":
      return (
        has(instructions, text) || has(unlikely, text) || (text === value.trim() && text.length < shortestKey)
      );
    default:
      return has(instructions, text) || has(unlikely, text) || words.test(text);
  }
}

function has(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

function isPlaceholderAddress(address: string): boolean {
  const [, local = "", domain = ""] = /^([^@]*)@(.*?)>?$/.exec(address.replace(/^.*</, "")) ?? [];
  if (domain === "") return words.test(address) || has(instructions.slice(1), address);
  const stands = mailProviders.test(domain) ? anybody.test(local) : domains.test(domain);
  return stands || has(instructions.slice(1), address);
}

/** What a program writes for a variable that isn't set. */
const unset =
  /(?:[/=:@]|\/bot)(?:undefined|null|None|NaN|(?:%5B|\[)object(?:%20|\+| )Object(?:%5D|\]))(?=[/?&#:@]|$)/;

function isPlaceholderUrl(url: string): boolean {
  if (words.test(url) || unset.test(url)) return true;
  const [, host = "", path = ""] = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]*)(?::\d+)?([^?#]*)/i.exec(url) ?? [];
  if (domains.test(host)) return true;
  // Hooks of Slack have a workspace, an app and a token; nothing else at Slack is one.
  if (/^(?:www\.)?slack\.com$/i.test(host)) return true;
  const isSlackHook = /^hooks\.slack\.com$/i.test(host) && !/^\/(?:workflows|triggers)\//.test(path);
  return isSlackHook && !path.includes("{{") && !/^\/services\/T\w{5,}\/B\w{5,}\/\w{12,}\/?$/.test(path);
}

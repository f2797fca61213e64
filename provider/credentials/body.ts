/** Reads the body of a request by its members, whatever it is written in. It needn't be valid until it is filled in. */

/** Names of secrets in a body. A `key` is one of a project or an alert there, and a `code` one of an error. */
export const memberName =
  /token$|secret$|passw(?:or)?d$|^pwd$|credentials?$|authori[sz]ation$|^auth$|(?:api|app|access|routing|integration|service|private|auth|signing|subscription|license)[-_]?key$/i;

/** The members of an object, the fields of a form, the attributes and elements of XML, by name, also of those within a string. */
export function membersOf(body: string): [key: string, value: string][] {
  const text = body.replace(/<!\[CDATA\[|\]\]>/g, "");
  const members = [...text.matchAll(member)].flatMap(
    ([, , key = "", double, single, bare]): [string, string][] => {
      // Of a link, the scheme isn't a name.
      if (bare?.startsWith("//")) return [["", `${key}:${bare}`]];
      if (/^(?:true|false|null)$/.test(bare ?? "")) return [];
      const value = double ?? single ?? bare ?? "";
      const inner = /\\["']/.test(value) ? membersOf(value.replace(/\\(["'\\])/g, "$1")) : [];
      // A password may look as if it had members.
      return inner.length > 0 && !memberName.test(key) ? inner : [[key, value]];
    },
  );
  const elements = [...text.matchAll(element)];
  const fields = /^\s*[{[<]/.test(text) ? [] : [...new URLSearchParams(text)];
  return [
    ...members,
    ...elements.map(([, key = "", value = ""]): [string, string] => [key, value]),
    ...fields,
  ];
}

const quoted = `"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)'`;
/** A placeholder such as `<token>` or `$(TOKEN)`. Mark-up goes on after it. */
const inBrackets = `\\$?[<[(][^<>()[\\]{}"',\\n]*[>\\])](?=[\\s&,;}\\]]|$)`;
/** The scheme of a header, before what isn't the next member. */
const firstWord = `[a-z][\\w-]{0,23}[^\\S\\n]+(?=[\\w{<$])(?![\\w.-]+[^\\S\\n]*(?::|=[^=\\s]))`;
const bare = `(?:${firstWord})?(?:${inBrackets}|(?:\\{+[\\w. -]+\\}+|[^\\s"'&,;<>()[\\]{}])+)`;
/** YAML has a long text in the lines below its name, and objects as well. */
const separator = `\\s*[:=](?:[^\\S\\n]*[|>][+-]?[^\\S\\n]*\\n)?[^\\S\\n]*`;

/** `"name": "value"`, where neither needs quotes. No name begins within a word: that would take a hundred times as long. */
const member = new RegExp(`(["']?)(?<![\\w.-])([\\w.-]{1,100})\\1${separator}(?:${quoted}|(${bare}))`, "gi");

const element = /<([\w.:-]{1,100})(?:\s[^<>]*)?>(<[^<>/]*>|[^<>]*)<\/\1/g;

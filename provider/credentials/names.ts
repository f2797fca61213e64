/** Tells by the name of a header, a parameter or a member of a body what its value is. */

/**
 * `secret`: any value is one. `likely`: a value with digits between its letters is one, others are words and numbers. `id`: what looks
 * random is no secret. `other`: the shape tells.
 */
export type NameClass = "secret" | "likely" | "id" | "other";

/** Classes of names in snake_case; the first one that matches decides. */
const classes: readonly (readonly [NameClass, RegExp])[] = [
  [
    "id",
    /(?<!(?:^|_)s|sess(?:ion)?_?)id$|(?:ids|uuid|guid|identifier)s?$|(?:^|_)(?:hash|sha_?\d*|md5|digest|checksum|commit|revision|release|build|ref|nonce|etag|boundary|type|method|algorithm|timestamp|account|tenant|org|organization|project|workspace|environment|site|channel|room|thread|group|assignee|assigned_to|owner|service|ci)$|version$|public_?key$|^(?:id|if|accept|content|trace)_|^b3$|^user_agent$|_?trace(?:parent|_context)?$|idempotency|dedup/,
  ],
  [
    "secret",
    /(?:token|secret|passw(?:or)?d|passphrase|credentials?|authori[sz]ation|cookie|sess(?:ion)?_?id)$|(?:^|_)(?:pwd|auth|session|sess|sid)$|(?:api|app|access|auth|client|integration|license|master|private|routing|secret|service|shared|signing|subscription|team|webhook)_?key$/,
  ],
  ["likely", /auth(?!or(?!i[sz]))|token|secret|passw|credential|cookie|signature|^(?:sig|code)$|key$/],
];

export function classOfName(name: string): NameClass {
  if (name === "") return "other";
  const snake = snakeCase(name);
  return classes.find(([, pattern]) => pattern.test(snake))?.[0] ?? "other";
}

/** True if a name says that its value is or may be a secret. */
export function isSecretName(name: string): boolean {
  return ["secret", "likely"].includes(classOfName(name));
}

export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/g, "_").toLowerCase();
}

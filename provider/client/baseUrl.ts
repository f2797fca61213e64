/** Which URL may be the base URL of the service. */

/** Why the value can't be the base URL, or undefined when it can. Never quotes it: it may contain a password. */
export function baseUrlProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) return "must be a URL, such as https://api.example.com";
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) {
    return "must begin with https:// (plain http only for this machine itself: localhost, 127.0.0.1, [::1])";
  }
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password";
  if (value.includes("?") || value.includes("#")) return "must not contain a query or fragment";
  return undefined;
}

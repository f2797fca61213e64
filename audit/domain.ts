/** Whether a host is in a domain: `example.com` is itself alone, `*.example.com` is all below it. */
export function isInDomain(host: string, domain: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  const wanted = domain.toLowerCase();
  return wanted.startsWith("*.") ? name.endsWith(wanted.slice(1)) : name === wanted;
}

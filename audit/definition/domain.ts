/** Whether a host matches a domain: `example.com` matches only itself, `*.example.com` all subdomains. */
export function isInDomain(host: string, domain: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  const pattern = domain.toLowerCase();
  return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
}

import { flagRule } from "./flag";

export const sslExpiry = flagRule("sslExpiry", {
  id: "ssl-expiry",
  title: "Expiring certificates are reported",
  why: "An expired certificate takes a site down, on a date that was known in advance.",
  fix: "Turn alerts for expiring SSL certificates on in the channel's settings.",
});

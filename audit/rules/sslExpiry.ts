import { flagRule } from "./flag";

export const sslExpiry = flagRule("sslExpiry", {
  id: "ssl-expiry",
  title: "Expiring certificates are reported",
  why: "An expired certificate takes a site down as surely as a crash, on a day that was known long before.",
  fix: "Turn alerts for expiring SSL certificates on in the channel's settings.",
});

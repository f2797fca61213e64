import { createHash } from "node:crypto";

/** 16 hex digits, equal for equal texts. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The namespace of the ids of this package: a random UUID, the same in all releases. */
const namespace = Buffer.from("0f6d2c0e9a5b4c1d8e7f3a2b1c4d5e6f", "hex");

/** A UUID of version 5: equal for equal names. */
export function uuidOf(name: string): string {
  const bytes = createHash("sha1").update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export function isVersion5(id: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-5/i.test(id);
}

/** The id in one spelling: a service may return a UUID of ours in capitals. Any other id has no second spelling. */
export function canonicalId(id: string): string {
  return isVersion5(id) ? id.toLowerCase() : id;
}

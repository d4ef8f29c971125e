import { createHmac, randomBytes } from "node:crypto";
import type { SecretKeys } from "../../../core/config/index.ts";
import { derivedKeys } from "../crypto/hash.ts";

/** The version of a user's credentials. */
export interface Credentials {
  readonly id: string;
  /** ISO-8601, different for each change of a user; null for never. */
  readonly credentialsChangedAt: string | null;
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const idPattern = new RegExp(`^(?:(?<session>${uuid})\\.)?(?<stamped>${uuid})$`);

/** Returns the session that a token id names, or null. */
export function sessionIdOf(jti: string): string | null {
  return idPattern.exec(jti)?.groups?.["session"] ?? null;
}

/**
 * Token ids: the session's id, a dot, and a stamp of the user's credentials at that time; without a session
 * only the stamp. The claims have no other field for them. `iat` has whole seconds, so it cannot distinguish a
 * token before a change from the first one after it. A stamp is a UUID of version 8 (RFC 9562). One half is
 * random. The other half is a keyed hash of the first half and the credentials.
 */
export class StampedIds {
  readonly #keys: SecretKeys<Buffer>;

  constructor(secret: SecretKeys) {
    this.#keys = derivedKeys(secret, "token id");
  }

  /** A new id for a token of this user. */
  next(credentials: Credentials, sessionId: string | null): string {
    const bytes = randomBytes(8);
    bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
    const head = bytes.toString("hex");
    const all = head + stamp(this.#keys[0], head, credentials);
    const stamped = all.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    return sessionId === null ? stamped : `${sessionId}.${stamped}`;
  }

  /** Whether an id was made for these credentials; null for an id that this class did not make. */
  isOf(id: string, credentials: Credentials): boolean | null {
    const stamped = idPattern.exec(id)?.groups?.["stamped"]?.replaceAll("-", "");
    if (stamped === undefined || !/^.{12}8.{3}[89ab]/.test(stamped)) return null;
    const [head, tail] = [stamped.slice(0, 16), stamped.slice(16)];
    return this.#keys.some((key) => stamp(key, head, credentials) === tail);
  }
}

function stamp(key: Buffer, head: string, { id, credentialsChangedAt }: Credentials): string {
  const text = `${head} ${id} ${credentialsChangedAt ?? ""}`;
  const bytes = createHmac("sha256", key).update(text).digest().subarray(0, 8);
  bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
  return bytes.toString("hex");
}

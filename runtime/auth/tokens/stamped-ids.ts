import { createHmac, type KeyObject, randomBytes } from "node:crypto";
import { derivedKey } from "../crypto/hash.ts";

/** What the credentials of a user stand at. */
export interface Credentials {
  readonly id: string;
  /** ISO-8601; no two changes of one user have the same. Null for never. */
  readonly credentialsChangedAt: string | null;
}

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Ids of tokens that are stamped with the credentials which their user had then. The claims of the contract leave no other
 * room, and `iat` has whole seconds: it cannot tell a token of before a change from the first one after it. An id is a UUID
 * of version 8 (RFC 9562): half of it is random, half a keyed hash of that half and the credentials.
 */
export class StampedIds {
  readonly #key: Buffer;

  constructor(secret: KeyObject) {
    this.#key = derivedKey(secret, "token id");
  }

  /** A new id for a token of this user. */
  next(credentials: Credentials): string {
    const bytes = randomBytes(8);
    bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
    const head = bytes.toString("hex");
    const all = head + this.#stamp(head, credentials);
    return all.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  /** Whether an id was made for the credentials that the user has now; null for one that was not made here. */
  isOf(id: string, credentials: Credentials): boolean | null {
    if (!pattern.test(id)) return null;
    const all = id.replaceAll("-", "");
    return all.slice(16) === this.#stamp(all.slice(0, 16), credentials);
  }

  #stamp(head: string, { id, credentialsChangedAt }: Credentials): string {
    const text = `${head} ${id} ${credentialsChangedAt ?? ""}`;
    const bytes = createHmac("sha256", this.#key).update(text).digest().subarray(0, 8);
    bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
    return bytes.toString("hex");
  }
}

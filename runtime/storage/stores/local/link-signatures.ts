import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto";
import type { LinkCheck } from "../file-store.ts";

/** Signs what links to local files say (docs/storage.md#links). */
export class LinkSignatures implements LinkCheck {
  readonly #key: Buffer;

  constructor(secret: KeyObject) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "kirak links to files", 32));
  }

  /** In hexadecimal digits. `expires` is in seconds of the Unix clock. */
  of(key: string, expires: number): string {
    return this.#bytes(key, expires).toString("hex");
  }

  /** In the same time for all signatures of the right length. */
  accepts(key: string, expires: number, signature: string): boolean {
    const right = this.#bytes(key, expires);
    const given = Buffer.from(signature, "hex");
    return given.length === right.length && timingSafeEqual(given, right);
  }

  /** A number has no line feed, so it is clear where the key begins. */
  #bytes(key: string, expires: number): Buffer {
    return createHmac("sha256", this.#key).update(`${expires}\n${key}`).digest();
  }
}

import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/** A Lua script that Redis is sent once, and called by its hash from then on. */
export class Script {
  readonly #text: string;
  readonly #hash: string;

  constructor(text: string) {
    this.#text = text;
    this.#hash = createHash("sha1").update(text).digest("hex");
  }

  /** Runs it. A Redis that does not know it, after a restart for one, is sent it again. */
  async run(redis: Redis, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.#hash, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.eval(this.#text, keys.length, ...keys, ...values);
    }
  }
}

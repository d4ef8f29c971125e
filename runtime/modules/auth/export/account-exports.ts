import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Database } from "../../../core/database/index.ts";
import { overloadError } from "../../../core/errors/index.ts";
import type { Caller } from "../../../data/operations/index.ts";
import { type AccountExport, exportedParts } from "./exported-parts.ts";

/** The part of the connections that exports can hold: each holds one for as long as its client reads. */
const share = 1 / 5;

const oneMoment = {
  name: null,
  text: "set transaction isolation level repeatable read, read only",
};

interface AccountExportsOptions extends AccountExport {
  readonly database: Database;
  /** The number of connections of `database`. */
  readonly poolSize: number;
}

/** Exports the data of accounts. Each export shows one moment. */
export class AccountExports {
  readonly #options: AccountExportsOptions;
  readonly #mostAtOnce: number;
  #running = 0;

  constructor(options: AccountExportsOptions) {
    this.#options = options;
    this.#mostAtOnce = Math.max(1, Math.floor(options.poolSize * share));
  }

  /**
   * Begins to read the data of the caller's account. Returns JSON text, which fails with `NOT_FOUND` if the
   * account is gone. Errors: 503 `HTTP_ERROR` while clients read as many exports as the process serves at
   * once.
   */
  begin(caller: Caller, userId: string): Readable {
    if (this.#running >= this.#mostAtOnce) throw overloadError;
    this.#running++;
    const text = new PassThrough();
    // The reader gets the error too, but it can begin later.
    text.on("error", () => {});
    this.#read(caller, userId, text)
      .catch((error: Error) => text.destroy(error))
      .finally(() => {
        this.#running--;
      });
    return text;
  }

  /** If the transaction runs again after parts were sent, its stream is closed, so it fails at once. */
  #read(caller: Caller, userId: string, text: PassThrough): Promise<void> {
    return this.#options.database.transaction(async (transaction) => {
      await transaction.run(oneMoment, []);
      await pipeline(exportedParts(transaction, this.#options, caller, userId), text);
    });
  }
}

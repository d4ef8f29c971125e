import { ServiceError } from "../../../core/errors/index.ts";

/** Most concurrent uploads of this process. */
const mostAtOnce = 64;

/** Share of one user. */
export const mostOfOne = mostAtOnce / 2;

/** Limits concurrent uploads, in total and per user. */
export class UploadSlots {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  /** Takes a slot for a user; returns its release. Error: 503 `HTTP_ERROR` without a free slot. */
  take(user: string): () => void {
    const own = this.#takenBy.get(user) ?? 0;
    if (this.#taken === mostAtOnce || own === mostOfOne) throw tooManyUploads();
    this.#add(user, 1);
    return () => this.#add(user, -1);
  }

  #add(user: string, change: 1 | -1): void {
    this.#taken += change;
    const own = (this.#takenBy.get(user) ?? 0) + change;
    if (own === 0) this.#takenBy.delete(user);
    else this.#takenBy.set(user, own);
  }
}

/** 503: the client can retry soon. The body is not read. */
export function tooManyUploads(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Too many uploads are in progress. Try again soon.", undefined, {
    status: 503,
    headers: { "Retry-After": "5", Connection: "close" },
  });
}

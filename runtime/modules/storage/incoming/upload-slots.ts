import { ServiceError } from "../../../core/errors/index.ts";

/** Most uploads at once in this process. */
const mostAtOnce = 64;

/** Of these, one user holds at most half. */
const mostOfOne = mostAtOnce / 2;

/** Bounds how many uploads are on their way at once, in all and of one user. */
export class UploadSlots {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  /** Takes a place for a user, and gives what returns it. Error: 503 `HTTP_ERROR` if no place is free for this user. */
  take(user: string): () => void {
    const own = this.#takenBy.get(user) ?? 0;
    if (this.#taken === mostAtOnce || own === mostOfOne) throw busy();
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

/** 503 for an upload that the client can send again soon. Its body is not read. */
export function busy(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Too many uploads are on their way. Try again soon.", undefined, {
    status: 503,
    headers: { "Retry-After": "5", Connection: "close" },
  });
}

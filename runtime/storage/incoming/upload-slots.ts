import { ServiceError } from "../../errors/index.ts";

/** Most uploads at once in this process, and those of one user among them: nobody keeps the others out with slow clients. */
const [mostAtOnce, mostOfOne] = [64, 16];

/** Bounds how many uploads are on their way at once. */
export class UploadSlots {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  /** Takes a place for a user, and gives what returns it. Error: 503 `HTTP_ERROR` where there is none. */
  take(userId: string): () => void {
    const own = this.#takenBy.get(userId) ?? 0;
    if (this.#taken === mostAtOnce || own === mostOfOne) throw busy();
    this.#change(userId, 1);
    return () => this.#change(userId, -1);
  }

  #change(userId: string, by: 1 | -1): void {
    this.#taken += by;
    const own = (this.#takenBy.get(userId) ?? 0) + by;
    if (own === 0) this.#takenBy.delete(userId);
    else this.#takenBy.set(userId, own);
  }
}

/** The body is not read: the client sends it again. */
function busy(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Too many uploads are on their way. Try again soon.", undefined, {
    status: 503,
    headers: { "Retry-After": "5", Connection: "close" },
  });
}

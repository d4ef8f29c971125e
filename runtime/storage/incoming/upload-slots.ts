import { ServiceError } from "../../errors/index.ts";

/** Most uploads at once in this process. */
const mostAtOnce = 64;

/** Bounds how many uploads are on their way at once. */
export class UploadSlots {
  #taken = 0;

  /** Takes a place, and gives what returns it. Error: 503 `HTTP_ERROR` where there is none. */
  take(): () => void {
    if (this.#taken === mostAtOnce) throw busy();
    this.#taken++;
    return () => {
      this.#taken--;
    };
  }
}

/** The body is not read: the client sends it again. */
function busy(): ServiceError {
  return new ServiceError("HTTP_ERROR", "Too many uploads are on their way. Try again soon.", undefined, {
    status: 503,
    headers: { "Retry-After": "5", Connection: "close" },
  });
}

import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { ServiceError } from "../../errors/index.ts";
import { letBodyLast } from "../../http/index.ts";

/** A client may send nothing for so long, without the time in which nobody reads. */
const longestSilenceMs = 30_000;

export interface FeedOptions {
  /** Most bytes of the whole body. */
  readonly limit: number;
  /** Whether somebody still works on what the target has taken: for how long is bounded elsewhere. */
  readonly isAtWork: () => boolean;
  /** Told when the body is too long, or its client silent or gone; or when whoever takes it apart comes to no end with it. */
  readonly fail: (error: Error) => void;
  /** What a body over the limit fails with. */
  readonly tooLarge: () => ServiceError;
}

/** Hands a body over to whoever takes it apart, as fast as that one takes it. Gives what stops it. */
export function feedBody(request: IncomingMessage, target: Writable, options: FeedOptions): () => void {
  const { limit, isAtWork, fail, tooLarge } = options;
  letBodyLast(request);
  let left = limit;
  let isWaiting = true;
  let isHere = false;
  const late = () => {
    if (isHere ? target.writableLength > 0 || isAtWork() : !isWaiting) timer.refresh();
    else fail(isHere ? new Error("the parser waits for more") : silent());
  };
  const timer = setTimeout(late, longestSilenceMs);
  const take = (chunk: Buffer) => {
    timer.refresh();
    left -= chunk.length;
    if (left < 0) return fail(tooLarge());
    isWaiting = target.write(chunk);
    if (!isWaiting) request.pause();
  };
  const goOn = () => {
    timer.refresh();
    isWaiting = true;
    request.resume();
  };
  const end = () => {
    timer.refresh();
    isHere = true;
    target.end();
  };
  const gone = () => {
    if (!request.complete) fail(cutOff());
  };
  const stop = () => {
    clearTimeout(timer);
    request.off("close", gone).off("end", end).off("data", take);
    target.off("drain", goOn).off("close", stop);
  };
  request.on("close", gone).on("end", end).on("data", take);
  target.on("drain", goOn).on("close", stop);
  return stop;
}

/** Its client is gone: nobody reads this. */
export function cutOff(): ServiceError {
  return new ServiceError("HTTP_ERROR", "The request was cut off.");
}

function silent(): ServiceError {
  return new ServiceError("HTTP_ERROR", "The client has sent nothing for too long.", undefined, {
    status: 408,
    headers: { Connection: "close" },
  });
}

import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { ServiceError } from "../../../core/errors/index.ts";

/** How long a client can send nothing, not counting time in which the service does not read. */
const longestSilenceSeconds = 30;
/** After this time the average rate counts. */
const judgedAfterSeconds = 30;
/** Slower uploads would keep their places for hours. */
const leastBytesPerSecond = 4096;

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
  let received = 0;
  let isWaiting = true;
  let isHere = false;
  let silentSeconds = 0;
  let waitedSeconds = 0;
  const tick = () => {
    timer.refresh();
    if (isHere ? target.writableLength > 0 || isAtWork() : !isWaiting) {
      silentSeconds = 0;
      return;
    }
    waitedSeconds += 1;
    silentSeconds += 1;
    const isTooSlow = waitedSeconds >= judgedAfterSeconds && received < waitedSeconds * leastBytesPerSecond;
    if (silentSeconds > longestSilenceSeconds)
      fail(isHere ? new Error("the parser waits for more") : silent());
    else if (isTooSlow && !isHere) fail(tooSlow());
  };
  const timer = setTimeout(tick, 1000);
  const take = (chunk: Buffer) => {
    silentSeconds = 0;
    received += chunk.length;
    if (received > limit) return fail(tooLarge());
    isWaiting = target.write(chunk);
    if (!isWaiting) request.pause();
  };
  const goOn = () => {
    silentSeconds = 0;
    isWaiting = true;
    request.resume();
  };
  const end = () => {
    silentSeconds = 0;
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
  return timedOut("The client has sent nothing for too long.");
}

function tooSlow(): ServiceError {
  return timedOut(
    `The upload is too slow: after 30 seconds it must average ${leastBytesPerSecond} bytes a second.`,
  );
}

function timedOut(message: string): ServiceError {
  return new ServiceError("HTTP_ERROR", message, undefined, {
    status: 408,
    headers: { Connection: "close" },
  });
}

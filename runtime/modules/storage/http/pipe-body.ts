import type { IncomingMessage } from "node:http";
import type { Writable } from "node:stream";
import { ServiceError } from "../../../core/errors/index.ts";

/** Idle timeout of a client. Time in which the service reads nothing does not count. */
const longestSilenceSeconds = 30;
/** After this time, the average rate is checked. */
const judgedAfterSeconds = 30;
/** Slower uploads would hold their slots for hours. */
const leastBytesPerSecond = 4096;

export interface PipeOptions {
  /** Most bytes of the body. */
  readonly limit: number;
  /** Whether the target is still busy; its own limits bound that time. */
  readonly isAtWork: () => boolean;
  /** Called after the pipe stopped: the body is too long, the client idle or gone, or the parser stuck. */
  readonly fail: (error: Error) => void;
  /** The error of a body over the limit. */
  readonly tooLarge: () => ServiceError;
}

/** Pipes a body to the parser at its pace. Returns a function that stops it. */
export function pipeBody(request: IncomingMessage, target: Writable, options: PipeOptions): () => void {
  const { limit, isAtWork, tooLarge } = options;
  let received = 0;
  let isWaiting = true;
  let isComplete = false;
  let silentSeconds = 0;
  let waitedSeconds = 0;
  const fail = (error: Error) => {
    stop();
    options.fail(error);
  };
  const tick = () => {
    timer.refresh();
    if (isComplete ? target.writableLength > 0 || isAtWork() : !isWaiting) {
      silentSeconds = 0;
      return;
    }
    waitedSeconds += 1;
    silentSeconds += 1;
    const isTooSlow = waitedSeconds >= judgedAfterSeconds && received < waitedSeconds * leastBytesPerSecond;
    if (silentSeconds > longestSilenceSeconds)
      fail(isComplete ? new Error("the multipart parser expects more data") : silent());
    else if (isTooSlow && !isComplete) fail(tooSlow());
  };
  const timer = setTimeout(tick, 1000);
  const take = (chunk: Buffer) => {
    silentSeconds = 0;
    received += chunk.length;
    if (received > limit) return fail(tooLarge());
    isWaiting = target.write(chunk);
    if (!isWaiting) request.pause();
  };
  const resume = () => {
    silentSeconds = 0;
    isWaiting = true;
    request.resume();
  };
  const end = () => {
    silentSeconds = 0;
    isComplete = true;
    target.end();
  };
  const onClose = () => {
    if (!request.complete) fail(requestAborted());
  };
  const stop = () => {
    clearTimeout(timer);
    request.off("close", onClose).off("end", end).off("data", take);
    target.off("drain", resume).off("close", stop);
  };
  request.on("close", onClose).on("end", end).on("data", take);
  target.on("drain", resume).on("close", stop);
  return stop;
}

/** The client is gone, so it gets no response. */
export function requestAborted(): ServiceError {
  return new ServiceError("HTTP_ERROR", "The client closed the connection before the request was complete.");
}

function silent(): ServiceError {
  return timedOut("The client has sent nothing for too long.");
}

function tooSlow(): ServiceError {
  return timedOut(
    `The upload is too slow: after ${judgedAfterSeconds} seconds it must average ${leastBytesPerSecond} bytes a second.`,
  );
}

function timedOut(message: string): ServiceError {
  return new ServiceError("HTTP_ERROR", message, undefined, {
    status: 408,
    headers: { Connection: "close" },
  });
}

import type { RequestHandler } from "express";
import { withTimeout } from "../concurrency/index.ts";
import { ServiceError } from "../errors/index.ts";
import { sendAnswer, sendError } from "./envelope.ts";

/** Whether the process has been told to stop. */
export interface Lifecycle {
  readonly stopping: boolean;
}

/** For a check that has no limit of its own, or a longer one. */
const longestCheckMs = 5_000;

/** `GET /healthz`: the process is up. */
export const healthz: RequestHandler = (_request, response) => {
  sendAnswer(response, { message: "up", data: "{}" });
};

/** `GET /readyz`: what the service stands on is reachable and it is not stopping; else 503 (decisions, part 1). */
export function readyz(
  lifecycle: Lifecycle,
  checks: Readonly<Record<string, () => Promise<void>>>,
): RequestHandler {
  return async (request, response) => {
    const failed: string[] = lifecycle.stopping ? ["stopping"] : [];
    for (const [name, check] of Object.entries(checks)) {
      await withTimeout(check(), longestCheckMs, "no answer in time").catch((error: unknown) => {
        request.context.failure = error;
        failed.push(name);
      });
    }
    if (failed.length === 0) return sendAnswer(response, { message: "ready", data: "{}" });
    sendError(
      response,
      new ServiceError("HTTP_ERROR", `Not ready: ${failed.join(", ")}.`, undefined, { status: 503 }),
    );
  };
}

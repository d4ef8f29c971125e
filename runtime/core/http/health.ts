import express, { type RequestHandler } from "express";
import { fixedPaths } from "../../../vocabulary/built-in-routes.ts";
import { withTimeout } from "../concurrency/index.ts";
import { ServiceError } from "../errors/index.ts";
import { allowOnlyGet, onPaths, sendError, sendSuccess } from "./answer.ts";
import { excludeFromMonitoring } from "./request-context.ts";

export interface Lifecycle {
  readonly stopping: boolean;
}

/** For checks without a shorter limit. */
const longestCheckMs = 5_000;

type Checks = Readonly<Record<string, () => Promise<void>>>;

/** The routes for liveness and readiness. */
export function probes(lifecycle: Lifecycle, checks: Checks): RequestHandler {
  const { health, ready } = fixedPaths;
  const router = express.Router({ strict: true, caseSensitive: true });
  router.route(health).all(excludeFromMonitoring).get(healthz).all(allowOnlyGet);
  router.route(ready).all(excludeFromMonitoring).get(readyz(lifecycle, checks)).all(allowOnlyGet);
  return onPaths([health, ready], router);
}

/** `GET /healthz`: the process is up. */
const healthz: RequestHandler = (_request, response) => {
  sendSuccess(response, { message: "up", data: "{}" });
};

/** `GET /readyz`: 200 if all dependencies can be reached and the process is not stopping, otherwise 503. */
function readyz(lifecycle: Lifecycle, checks: Checks): RequestHandler {
  return async (request, response) => {
    const failed: string[] = lifecycle.stopping ? ["stopping"] : [];
    for (const [name, check] of Object.entries(checks)) {
      await withTimeout(check(), longestCheckMs, "no answer in time").catch((error: unknown) => {
        request.context.failure = error;
        failed.push(name);
      });
    }
    if (failed.length === 0) return sendSuccess(response, { message: "ready", data: "{}" });
    sendError(
      response,
      new ServiceError("HTTP_ERROR", `Not ready: ${failed.join(", ")}.`, undefined, { status: 503 }),
    );
  };
}

import { performance } from "node:perf_hooks";
import type { Request, Response } from "express";
import { StepTimes, type Trace } from "../../../core/concurrency/index.ts";
import type { MonitoringSettings } from "../../../core/config/index.ts";
import type { RequestContext, RequestRecorder } from "../../../core/http/index.ts";
import type {
  FailureRecord,
  MonitoringRecord,
  RequestRecord,
  StepRecords,
} from "../records/monitoring-records.ts";
import type { BoundedQueue } from "../store/bounded-queue.ts";
import { failureRecord } from "./failure-record.ts";

/** Observes finished requests. */
export interface RequestObserver {
  arrived(): void;
  /** A request has finished; null if it is not recorded. */
  done(record: RequestRecord | null): void;
}

export interface RecordingOptions extends Pick<MonitoringSettings, "sampleRate" | "slowRequestMs"> {
  readonly records: BoundedQueue<MonitoringRecord>;
  readonly observer: RequestObserver;
  /** Milliseconds since 1970; default the system's. */
  readonly now?: () => number;
  /** At least 0, below 1; default `Math.random`. */
  readonly random?: () => number;
}

/** Unknown methods share one label: each would add rows for each route. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const otherMethod = "OTHER";

/** The client disconnected before the response. */
const clientClosedRequest = 499;

/** Makes a record of each request when it is over (docs/monitoring.md#recorded-data). */
export class FinishedRequests implements RequestRecorder {
  readonly #records: RecordingOptions["records"];
  readonly #observer: RequestObserver;
  readonly #sampleRate: number;
  readonly #slowRequestMs: number;
  readonly #now: () => number;
  readonly #random: () => number;

  constructor(options: RecordingOptions) {
    this.#records = options.records;
    this.#observer = options.observer;
    this.#sampleRate = options.sampleRate;
    this.#slowRequestMs = options.slowRequestMs;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? Math.random;
  }

  arrived(traceparent: string | null = null): Trace {
    this.#observer.arrived();
    return new StepTimes(traceparent);
  }

  done(request: Request, response: Response): void {
    const isRecorded = request.context.isRecorded && !isPreflight(request);
    const record = isRecorded ? this.#recordOf(request, response) : null;
    if (record !== null) this.#records.push(record);
    this.#observer.done(record);
  }

  #recordOf({ method, context }: Request, response: Response): RequestRecord {
    const endedAt = performance.now();
    const durationMs = endedAt - context.startedAt;
    const wasAnswered = response.headersSent;
    const status = wasAnswered ? response.statusCode : clientClosedRequest;
    return {
      kind: "request",
      requestId: context.id,
      // Round down, so that log lines of the same millisecond belong to the trace.
      at: Math.floor(this.#now() - durationMs),
      method: methods.has(method) ? method : otherMethod,
      route: patternOf(context),
      model: context.model,
      operation: context.operation,
      status,
      durationMs,
      bytes: wasAnswered ? bytesOf(method, context, response) : 0,
      userId: context.userId,
      role: context.role,
      errorCode: wasAnswered ? context.errorCode : null,
      steps: this.#isTraced(durationMs) ? stepsOf(context, endedAt) : null,
      failure: status >= 500 ? failureOf(context) : null,
    };
  }

  #isTraced(durationMs: number): boolean {
    return durationMs >= this.#slowRequestMs || this.#random() < this.#sampleRate;
  }
}

/** The pattern without the mount path, which can contain parameters. */
function patternOf({ route, mountPath }: RequestContext): string {
  if (route === null) return "unmatched";
  return mountPath === "" ? route : route.slice(mountPath.length);
}

/** Without `cors`, other code does not detect preflights. */
function isPreflight({ method, headers }: Request): boolean {
  if (method !== "OPTIONS") return false;
  return headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** A 5xx without a cause keeps its message. */
function failureOf({ failure, errorMessage }: RequestContext): FailureRecord | null {
  const thrown = failure ?? errorMessage;
  return thrown === null ? null : failureRecord(thrown);
}

function bytesOf(method: string, { sentBytes }: RequestContext, response: Response): number {
  const { statusCode } = response;
  if (method === "HEAD" || statusCode === 204 || statusCode === 304) return 0;
  return sentBytes ?? Number(response.getHeader("Content-Length") ?? 0);
}

/** A step that did not end lasts until the end of the request. */
function stepsOf({ trace, startedAt }: RequestContext, endedAt: number): StepRecords {
  if (!(trace instanceof StepTimes)) return { names: [], times: [] };
  const times: number[] = [];
  for (let step = 0; step < trace.names.length; step++) {
    const begun = trace.times[2 * step] ?? endedAt;
    const ended = trace.times[2 * step + 1] || endedAt;
    times.push(begun - startedAt, ended - begun);
  }
  // A copy: code that the request did not await can add steps later.
  return { names: [...trace.names], times };
}

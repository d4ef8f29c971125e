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
import type { Queue } from "../store/bounded-queue.ts";
import { failureRecord } from "./failure-record.ts";

/** Whoever counts requests, beside their records. */
export interface RequestObserver {
  arrived(): void;
  /** One is over; null: it is not recorded. */
  done(record: RequestRecord | null): void;
}

export interface RecordingOptions extends Pick<MonitoringSettings, "sampleRate" | "slowRequestMs"> {
  readonly records: Queue<MonitoringRecord>;
  readonly observer: RequestObserver;
  /** Milliseconds since 1970; default the system's. */
  readonly now?: () => number;
  /** At least 0, below 1; default `Math.random`. */
  readonly random?: () => number;
}

/** A client may send any method that node:http can read, and each would make rows of its own for each route. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const otherMethod = "OTHER";

/** For a caller who left before the answer. */
const callerLeft = 499;

/** Makes a record of each request when it is over (docs/monitoring.md#what-is-recorded). */
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

  arrived(): Trace {
    this.#observer.arrived();
    return new StepTimes();
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
    const status = wasAnswered ? response.statusCode : callerLeft;
    return {
      kind: "request",
      requestId: context.id,
      // Not after it arrived: what it logged in that very millisecond is of its trace.
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

/** Without the path that an application has mounted the service at, which may have parameters: patterns are few. */
function patternOf({ route, mountPath }: RequestContext): string {
  if (route === null) return "unmatched";
  return mountPath === "" ? route : route.slice(mountPath.length);
}

/** Where no `cors` is set nobody else knows one. */
function isPreflight({ method, headers }: Request): boolean {
  if (method !== "OPTIONS") return false;
  return headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** A 5xx without a cause has its message. */
function failureOf({ failure, errorMessage }: RequestContext): FailureRecord | null {
  const thrown = failure ?? errorMessage;
  return thrown === null ? null : failureRecord(thrown);
}

function bytesOf(method: string, { sentBytes }: RequestContext, response: Response): number {
  const { statusCode } = response;
  if (method === "HEAD" || statusCode === 204 || statusCode === 304) return 0;
  return sentBytes ?? Number(response.getHeader("Content-Length") ?? 0);
}

/** A step that nobody ended lasted until the request was over. */
function stepsOf({ trace, startedAt }: RequestContext, endedAt: number): StepRecords {
  if (!(trace instanceof StepTimes)) return { names: [], times: [] };
  const times: number[] = [];
  for (let step = 0; step < trace.names.length; step++) {
    const begun = trace.times[2 * step] ?? endedAt;
    const ended = trace.times[2 * step + 1] || endedAt;
    times.push(begun - startedAt, ended - begun);
  }
  // Copied: code that the request did not await can begin a step later.
  return { names: [...trace.names], times };
}

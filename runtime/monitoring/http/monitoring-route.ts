import type { Request, Response } from "express";
import type { MonitoringSettings } from "../../config/index.ts";
import type { Problem } from "../../errors/index.ts";
import type { Queue } from "../store/bounded-queue.ts";
import type { MonitoringStore } from "../store/worker-store.ts";
import type { AlertNames } from "./alert-names.ts";

/** How full a queue is, and what did not fit. */
export type QueueState = Pick<Queue<unknown>, "depth" | "max" | "dropped">;

/** What the routes of monitoring look at. */
export interface MonitoringRead {
  readonly settings: Pick<MonitoringSettings, "maxDatabaseMb" | "ingestionKey">;
  readonly store: Pick<MonitoringStore, "read">;
  readonly queues: { readonly records: QueueState; readonly logs: QueueState };
  /** The OpenMetrics text. */
  readonly metrics: () => Promise<string>;
  /** When the process began to monitor; milliseconds since 1970. */
  readonly startedAt: number;
  /** The clock; milliseconds since 1970. */
  readonly now: () => number;
}

/** What one service has of its own. */
export interface RouterServices extends MonitoringRead {
  /** What alert checks may name. */
  readonly names: AlertNames;
  readonly bodyLimitBytes: number;
}

/** A request that may be answered at all. */
export interface MonitoringCall {
  readonly services: RouterServices;
  readonly request: Request;
  readonly response: Response;
  /** What stands in the path for the name in braces; empty where there is none. */
  readonly named: string;
  /** Of the query. */
  readonly parameters: ReadonlyMap<string, string>;
  /** What is wrong with them so far. */
  readonly problems: Problem[];
}

/** A route of the monitoring module (docs/monitoring.md#routes). It answers by itself. */
export interface MonitoringRoute {
  /** Whether it needs no key. */
  readonly open?: boolean;
  readonly run: (call: MonitoringCall) => Promise<void>;
}

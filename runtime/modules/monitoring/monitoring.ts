import type { RequestHandler } from "express";
import type { RequestRecorder } from "../../core/http/index.ts";
import type { MonitoringForHooks } from "../../hooks/context/index.ts";

/** The monitoring module at work (docs/monitoring.md). */
export interface Monitoring {
  /** Told of each request. */
  readonly requests: RequestRecorder;
  readonly forHooks: MonitoringForHooks;
  /** Serves the routes; to be mounted at `/monitoring`. */
  readonly router: (service: MonitoredService) => RequestHandler;
  /** Writes and ships what waits, for as long as that at most, and ends the worker. Default 5 s. */
  close(withinMs?: number): Promise<void>;
}

/** How many jobs there are by state, and how long the oldest of those that could run waits. */
export interface JobFigures {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  readonly oldestSeconds: number;
}

/** What of the service around it is measured. */
export interface MetricSources {
  /** Connections to PostgreSQL, and requests that wait for one. */
  readonly connections: () => { readonly idle: number; readonly used: number; readonly waiting: number };
  /** Requests that were let through since the store of the counters was down. */
  readonly uncounted: () => number;
  /** What is in the queue of jobs, null where that cannot be told now; left out where there is none. */
  readonly jobs?: () => Promise<JobFigures | null>;
}

/** The service around the module. */
export interface MonitoredService extends MetricSources {
  /** Models with routes, which alert checks may name. */
  readonly models: readonly NamedModel[];
  /** Paths of the app's own routes, below the prefix of the models. */
  readonly routes: readonly string[];
}

/** A model, and the paths of its routes below its slug. */
export interface NamedModel {
  readonly key: string;
  readonly slug: string;
  readonly paths: readonly string[];
}

import type { RequestHandler } from "express";
import type { RequestRecorder } from "../../core/http/index.ts";
import type { MonitoringForHooks } from "../../hooks/context/index.ts";

/** The monitoring module of a process. */
export interface Monitoring {
  /** Records each request. */
  readonly requests: RequestRecorder;
  readonly forHooks: MonitoringForHooks;
  /** Serves the routes; mount it at `/monitoring`. */
  readonly router: (service: MonitoredService) => RequestHandler;
  /** Writes and ships queued records for at most `withinMs` (default 5 s), then ends the worker. */
  close(withinMs?: number): Promise<void>;
}

/** Jobs by state, and the wait of the oldest due job. */
export interface JobFigures {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  readonly oldestSeconds: number;
}

/** Sources of metrics in the service. */
export interface MetricSources {
  /** PostgreSQL connections, and requests that wait for one. */
  readonly connections: () => { readonly idle: number; readonly used: number; readonly waiting: number };
  /** Requests that passed without a rate limit while its store was down. */
  readonly uncounted: () => number;
  /** Acts on accounts, by event. */
  readonly accountEvents: () => ReadonlyMap<string, number>;
  /** Figures of the job queue; null while unavailable, missing without a queue. */
  readonly jobs?: () => Promise<JobFigures | null>;
}

export interface MonitoredService extends MetricSources {
  /** Models with routes; alert checks can use them. */
  readonly models: readonly NamedModel[];
  /** Paths of custom routes, below the prefix of the models. */
  readonly routes: readonly string[];
}

/** A model with its paths below the slug. */
export interface NamedModel {
  readonly key: string;
  readonly slug: string;
  readonly paths: readonly string[];
}

import type { Knex } from "knex";
import type { Logger } from "pino";
import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { type DeferredTasks, noTrace, type Trace } from "../../core/concurrency/index.ts";
import { classifyDatabaseError, type Savepoint, type Transaction } from "../../core/database/index.ts";
import { asDeclared, notNow, ServiceError } from "../../core/errors/index.ts";
import type { Principal } from "../../models/access/index.ts";
import type { ModelTypes } from "../../models/index.ts";
import { AppCalls, withCalls } from "./context-calls.ts";
import type { AppSql, HasPayload, ModelDatabase } from "./database-types.ts";
import type {
  AppJobs,
  AppMail,
  AppSms,
  HookMonitoring,
  HookStorage,
  MonitoringForHooks,
  StorageForHooks,
} from "./module-contexts.ts";
import type { ObjectSchema } from "./schema-type.ts";

/** Adds properties to a context. Getters stay getters: what stands behind them is made when code asks for it. */
export function extend<Context extends object, Added extends object>(
  context: Context,
  added: Added,
): asserts context is Context & Added {
  Object.defineProperties(context, Object.getOwnPropertyDescriptors(added));
}

/** What of the service is at the hand of code of one's own. */
export interface AppModules {
  readonly storage: StorageForHooks;
  readonly monitoring: MonitoringForHooks;
  /** The app's own errors, which it may throw. */
  readonly errors: DeclaredErrors;
  readonly jobs: (scope: AppCodeScope) => AppJobs;
  readonly database: MakeAppDatabase;
  readonly mail: (scope: AppCodeScope) => AppMail;
  readonly sms: (scope: AppCodeScope) => AppSms;
}

/** The database for code of one's own, where it runs. */
export type MakeAppDatabase = (scope: CallScope) => { readonly db: AppDatabase; readonly sql: AppSql };

/** What code of one's own runs for: who sent which request. */
export interface AppCodeOrigin {
  readonly principal: Principal;
  readonly requestId: string;
  readonly log: Logger;
  readonly modules: AppModules;
  readonly trace: Trace;
  /** The address of a request's client, or which job it is: reads of one share connections. */
  readonly address?: string;
  /** The hooks under way, the outermost first. */
  readonly chain: readonly string[];
  /** What it asks for once the answer has gone. */
  readonly later: DeferredTasks;
}

/** What code of one's own runs for, and where. */
export interface AppCodeScope {
  readonly origin: AppCodeOrigin;
  /** Null outside any. */
  readonly transaction: Transaction | null;
}

/** A scope, and the calls of the database in it. */
export interface CallScope extends AppCodeScope {
  readonly calls: AppCalls;
}

/** What code of one's own is told beside its value. */
export interface CodeContext {
  readonly principal: Principal;
  readonly request_id: string;
  readonly log: Logger;
  readonly storage: HookStorage;
  readonly monitoring: HookMonitoring;
  readonly jobs: AppJobs;
  readonly mail: AppMail;
  readonly sms: AppSms;
  /**
   * Has this done after the commit and after the answer, outside any transaction, after what was asked for before it; its context is
   * one of its own. Of what is rolled back, and of a read that fails, nothing follows. What it throws is logged.
   */
  afterCommit(work: (context: CodeContext) => unknown): void;
  readonly db: AppDatabase;
  readonly sql: AppSql;
}

/** `context.db`. In a mutation all of it runs in the operation's transaction, elsewhere each call in one of its own. */
export type AppDatabase = ModelDatabase & {
  /**
   * Binds several calls, which are undone together, and hands on a context for them; the one that it is called on is of no use meanwhile.
   * Outside a mutation the work runs again after a deadlock.
   */
  transaction<Result>(work: (context: MutationContext) => Promise<Result>): Promise<Result>;
};

export interface MutationContext extends CodeContext {
  /** Runs queries inside the operation's transaction; they are undone when the operation fails. */
  readonly transaction: Knex;
}

/** The context of code of one's own. Its modules are made when it asks for them. */
export function appContext({ origin, transaction }: AppCodeScope, calls: AppCalls): CodeContext {
  const { principal, requestId, log, modules } = origin;
  const scope = { origin, transaction, calls };
  // What is asked for stays or goes with the code that asks, not with a call of it that happens to be under way.
  const part = transaction?.currentSavepoint ?? null;
  calls.tell(log);
  return {
    principal,
    request_id: requestId,
    log,
    get storage() {
      return whileOpen(calls, modules.storage(part, log));
    },
    get monitoring() {
      return modules.monitoring(log);
    },
    get jobs(): AppJobs {
      const jobs = modules.jobs(scope);
      return {
        enqueue: (name, payload, options) => runAsked(scope, () => jobs.enqueue(name, payload, options)),
        cancel: (name, key) => runAsked(scope, () => jobs.cancel(name, key)),
      };
    },
    get db() {
      return modules.database(scope).db;
    },
    get sql() {
      return modules.database(scope).sql;
    },
    get mail(): AppMail {
      const mail = modules.mail(scope);
      return { send: (message) => runAsked(scope, () => mail.send(message)) };
    },
    get sms(): AppSms {
      const sms = modules.sms(scope);
      return { send: (message) => runAsked(scope, () => sms.send(message)) };
    },
    afterCommit: (work) => afterCommit(scope, part, work),
  };
}

/** Inside a transaction in turn, and undone alone where it fails: what fails beside it must not undo it, nor it what is there. */
function runAsked<Result>({ transaction, calls }: CallScope, ask: () => Promise<Result>): Promise<Result> {
  return transaction === null ? calls.now(ask) : calls.serialize(() => transaction.savepoint(ask));
}

function whileOpen(calls: AppCalls, storage: HookStorage): HookStorage {
  return {
    put: (...words) => calls.runDetached(() => storage.put(...words)),
    url: (...words) => calls.runDetached(() => storage.url(...words)),
    remove: (...words) => calls.runDetached(() => storage.remove(...words)),
  };
}

function afterCommit(
  { origin, calls }: CallScope,
  part: Savepoint | null,
  work: Parameters<CodeContext["afterCommit"]>[0],
): void {
  calls.noteLaterWork();
  const { later, log } = origin;
  // When it begins, nobody times the request any more.
  const scope = { origin: { ...origin, trace: noTrace }, transaction: null };
  const run = () => withCalls("what follows a commit", (own) => work(appContext(scope, own)));
  if (part === null) later.addUnlessFailed(run, log);
  else part.afterCommit(() => later.add(run, log));
}

/** The same inside a transaction: also its knex, which is made when a hook asks for it. */
export function mutationContext(
  origin: AppCodeOrigin,
  transaction: Transaction,
  calls = new AppCalls(),
): MutationContext {
  const context: CodeContext = appContext({ origin, transaction }, calls);
  extend(context, {
    get transaction() {
      calls.requireOpen();
      return transaction.knex;
    },
  });
  return context;
}

/** What code finds of modules that are off, and where a service was put together without some: all but `monitoring` refuses, and says why. */
export const absentModules: AppModules = {
  storage: () => ({ put: refuseStorage, url: refuseStorage, remove: refuseStorage }),
  // Code that records runs and calls works with it and without.
  monitoring: () => ({ aiRun() {}, mcpCall() {} }),
  errors: {},
  jobs: () => ({ enqueue: () => absent("context.jobs"), cancel: () => absent("context.jobs") }),
  database: () => ({
    get db(): never {
      throw absence("context.db");
    },
    get sql(): never {
      throw absence("context.sql");
    },
  }),
  mail: () => ({ send: () => absent("context.mail") }),
  sms: () => ({ send: () => absent("context.sms") }),
};

/** What it takes to switch it on is for the log. */
async function refuseStorage(): Promise<never> {
  throw new Error(
    'storage is off: set "modules": ["storage"] in models/manifest.json, with a section "storage" (docs/storage.md)',
  );
}

async function absent(name: string): Promise<never> {
  throw absence(name);
}

function absence(name: string): Error {
  return new Error(`${name} is not there: this service was put together without it`);
}

/** Hooks may call each other so deep. */
const deepest = 8;

/** The chain of what no hook has called. */
export const noneUnderWay: readonly string[] = Object.freeze([]);

/** What a hook runs for, once it is one of those under way. Errors: 500 `INTERNAL_ERROR` where that is too deep; the log has the chain. */
export function withinHook<Origin extends Pick<AppCodeOrigin, "chain">>(
  origin: Origin,
  hook: string,
): Origin {
  const chain = [...origin.chain, hook];
  if (chain.length <= deepest) return { ...origin, chain };
  throw new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(`hooks call each other more than ${deepest} deep: ${chain.join(" > ")}`),
  });
}

/** What before-hooks of update, delete, destroy and restore are told. */
export interface TargetContext<Types extends ModelTypes> extends MutationContext {
  /**
   * The rows that the operation is about to touch by the filter as it stands now, locked until the operation ends, in the order of their
   * ids. Errors: what the operation would answer where it reaches no row, or one that is out of reach; 400 for more rows than
   * `server.bulk_limit`.
   */
  rows(): Promise<Types["row"][]>;
}

/** What after-hooks of create and upsert are told. */
export interface WrittenContext<Types extends ModelTypes> extends MutationContext {
  /** The rows that the operation wrote as they are now, in the order of their ids, in a bulk in that of its list. */
  after(): Promise<Types["row"][]>;
}

/** What after-hooks of update, delete, destroy and restore are told. */
export interface ChangedContext<Types extends ModelTypes> extends WrittenContext<Types> {
  /** What `rows()` gave in the before-hook; in a bulk the rows of the records that were written, in the order of its list. */
  readonly before: Types["row"][] | undefined;
}

/**
 * What a throw of code of one's own is answered with. `errors` are those that its service declares. What is
 * no `ServiceError` is 500 `INTERNAL_ERROR`, also where it comes from the database, unless that was silent:
 * then it is 503 `HTTP_ERROR` as everywhere.
 */
export function thrownByApp(thrown: unknown, errors: DeclaredErrors): ServiceError {
  if (thrown instanceof ServiceError) return asDeclared(thrown, errors);
  const failed = () => new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: thrown });
  return notNow(classifyDatabaseError(thrown)?.kind, thrown) ?? failed();
}

/** What a job is told beside its payload. It has no caller: the role of its principal is `system`. */
export interface JobContext extends CodeContext {
  /** Aborted once the job has run for too long, or the process stops: who does not end then may meet the next attempt. */
  readonly signal: AbortSignal;
}

/** How a job is run. */
export interface JobOptions {
  /** How often it is tried; default 10. */
  readonly attempts?: number;
  /** How long one attempt may take; default 60. */
  readonly timeout_seconds?: number;
  /** Five fields in UTC, such as `30 4 * * 1-5`: then it is sent with `{}`. */
  readonly cron?: string;
  /** Jobs of one queue run one after the other, over all processes. */
  readonly queue?: string;
}

/** What `defineJob` gives. */
export interface Job<Payload = unknown> extends JobOptions, HasPayload<Payload> {
  readonly payload: ObjectSchema;
  /** What it gets was checked before. */
  run(payload: never, context: JobContext): unknown;
}

import type { Knex } from "knex";
import type { Logger } from "pino";
import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { asStep, type DeferredTasks, type Trace } from "../../core/concurrency/index.ts";
import { classifyDatabaseError, type Savepoint, type Transaction } from "../../core/database/index.ts";
import { asDeclared, databaseUnavailable, ServiceError } from "../../core/errors/index.ts";
import type { Principal } from "../../models/access/index.ts";
import type { ModelTypes } from "../../models/index.ts";
import { AppCalls, withCalls } from "./context-calls.ts";
import type { AppKysely, AppSql, HasPayload, MakeKysely, ModelDatabase } from "./database-types.ts";
import type {
  AppJobs,
  AppMail,
  AppSms,
  HookMonitoring,
  HookStorage,
  MonitoringForHooks,
  StorageForHooks,
} from "./module-contexts.ts";
import type { PayloadSchema } from "./schema-type.ts";

/** Adds properties to a context. Getters stay getters, evaluated on first use. */
export function extend<Context extends object, Added extends object>(
  context: Context,
  added: Added,
): asserts context is Context & Added {
  Object.defineProperties(context, Object.getOwnPropertyDescriptors(added));
}

export interface AppModules {
  readonly storage: StorageForHooks;
  readonly monitoring: MonitoringForHooks;
  /** The app's error codes. */
  readonly errors: DeclaredErrors;
  readonly jobs: (scope: AppCodeScope) => AppJobs;
  readonly database: MakeAppDatabase;
  /** Null without `typescript.kysely` in the manifest. */
  readonly kysely: MakeKysely | null;
  readonly mail: (scope: AppCodeScope) => AppMail;
  readonly sms: (scope: AppCodeScope) => AppSms;
}

export type MakeAppDatabase = (scope: CallScope) => Pick<CodeContext, "db" | "sql" | "kysely">;

/** The caller and the request for which app code runs. */
export interface AppCodeOrigin {
  readonly principal: Principal;
  readonly requestId: string;
  readonly log: Logger;
  readonly modules: AppModules;
  readonly trace: Trace;
  /** The address of the client, or the job. Reads of one address share connections. */
  readonly address?: string;
  readonly chain: readonly string[];
  readonly later: DeferredTasks;
}

/** The origin of app code, and its transaction. */
export interface AppCodeScope {
  readonly origin: AppCodeOrigin;
  /** Null outside a transaction. */
  readonly transaction: Transaction | null;
}

export interface CallScope extends AppCodeScope {
  readonly calls: AppCalls;
}

export interface CodeContext {
  readonly principal: Principal;
  readonly request_id: string;
  /** The header that continues the trace in another service; null outside a trace (docs/opentelemetry.md). */
  readonly traceparent: string | null;
  readonly log: Logger;
  readonly storage: HookStorage;
  readonly monitoring: HookMonitoring;
  readonly jobs: AppJobs;
  readonly mail: AppMail;
  readonly sms: AppSms;
  /**
   * Registers a callback for after the commit and the response. Callbacks run in order, outside any
   * transaction, with a new context. If the transaction is rolled back or a read fails, they do not run.
   * Errors are logged.
   */
  afterCommit(work: (context: CodeContext) => unknown): void;
  readonly db: AppDatabase;
  readonly sql: AppSql;
  /** Typed queries under the rules of `sql` (docs/kysely.md). Throws without `typescript.kysely`. */
  readonly kysely: AppKysely;
}

/**
 * `context.db`. In a mutation it uses the operation's transaction. Otherwise each call has its own
 * transaction.
 */
export type AppDatabase = ModelDatabase & {
  /**
   * Runs calls in one transaction, with a context that it passes. The outer context must not be used until it
   * ends. Outside a mutation, the work runs again after a deadlock.
   */
  transaction<Result>(work: (context: MutationContext) => Promise<Result>): Promise<Result>;
};

export interface MutationContext extends CodeContext {
  /** For queries inside the operation's transaction. */
  readonly transaction: Knex;
}

/** Makes the context of app code. Modules are made on first use. */
export function appContext({ origin, transaction }: AppCodeScope, calls: AppCalls): CodeContext {
  const { principal, requestId, log, modules, trace } = origin;
  const scope = { origin, transaction, calls };
  // A callback belongs to the code that registers it, not to a call that happens to be running.
  const part = transaction?.currentSavepoint ?? null;
  calls.tell(log);
  const context: CodeContext = {
    principal,
    request_id: requestId,
    get traceparent() {
      return trace.traceparent;
    },
    log,
    get storage() {
      return openStorage(calls, modules.storage(part, log));
    },
    get monitoring() {
      return modules.monitoring(log);
    },
    get jobs(): AppJobs {
      const jobs = modules.jobs(scope);
      return {
        enqueue: (name, payload, options) => runModuleCall(scope, () => jobs.enqueue(name, payload, options)),
        cancel: (name, key) => runModuleCall(scope, () => jobs.cancel(name, key)),
      };
    },
    get db() {
      return modules.database(scope).db;
    },
    get sql() {
      return modules.database(scope).sql;
    },
    get kysely() {
      return modules.database(scope).kysely;
    },
    get mail(): AppMail {
      const mail = modules.mail(scope);
      return { send: (message) => runModuleCall(scope, () => mail.send(message)) };
    },
    get sms(): AppSms {
      const sms = modules.sms(scope);
      return { send: (message) => runModuleCall(scope, () => sms.send(message)) };
    },
    afterCommit: (work) => afterCommit(scope, part, work),
  };
  // `{ ...context }` reads each property, and must not throw.
  if (modules.kysely === null) Object.defineProperty(context, "kysely", { enumerable: false });
  return context;
}

/**
 * Inside a transaction, calls run in order, each in a savepoint, so that a failed one does not undo others.
 */
function runModuleCall<Result>(
  { transaction, calls }: CallScope,
  ask: () => Promise<Result>,
): Promise<Result> {
  return transaction === null ? calls.now(ask) : calls.serialize(() => transaction.savepoint(ask));
}

function openStorage(calls: AppCalls, storage: HookStorage): HookStorage {
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
  calls.noteDeferredWork();
  const { later, log } = origin;
  const scope = { origin, transaction: null };
  const call = () => withCalls("an afterCommit callback", (own) => work(appContext(scope, own)));
  const run = () => asStep(origin.trace, "hook:afterCommit", call);
  if (part === null) later.addUnlessFailed(run, log);
  else part.afterCommit(() => later.add(run, log));
}

/** The context of a hook inside a transaction, with the transaction's knex. */
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

/** For modules that are off or missing. All except `monitoring` reject calls with the reason. */
export const absentModules: AppModules = {
  storage: () => ({ put: refuseStorage, url: refuseStorage, remove: refuseStorage }),
  // Code that records something works without the module too.
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
    get kysely(): never {
      throw absence("context.kysely");
    },
  }),
  kysely: null,
  mail: () => ({ send: () => absent("context.mail") }),
  sms: () => ({ send: () => absent("context.sms") }),
};

/** The message is only logged. */
async function refuseStorage(): Promise<never> {
  throw new Error(
    'storage is off: set "modules": ["storage"] in models/manifest.json, with a section "storage" (docs/storage.md)',
  );
}

async function absent(name: string): Promise<never> {
  throw absence(name);
}

function absence(name: string): Error {
  return new Error(`${name} is not available: this service was created without it`);
}

/** Hooks can call each other up to this depth. */
const deepest = 8;

/** The chain of code that no hook has called. */
export const noHooksRunning: readonly string[] = Object.freeze([]);

/** Adds a hook to the chain. Errors: 500 `INTERNAL_ERROR` if it is too long, with the chain in the log. */
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

/** The context of before-hooks of update, delete, destroy and restore. */
export interface TargetContext<Types extends ModelTypes> extends MutationContext {
  /**
   * The rows that match the current filter, locked until the operation ends, in order of their ids. Errors:
   * those of the operation without a match or for a forbidden row; 400 for more rows than
   * `server.bulk_limit`.
   */
  rows(): Promise<Types["row"][]>;
}

/** The context of after-hooks of create and upsert. */
export interface WrittenContext<Types extends ModelTypes> extends MutationContext {
  /**
   * The current state of the written rows, in the order of their ids. In a bulk operation, in the order of
   * its list.
   */
  after(): Promise<Types["row"][]>;
}

/** The context of after-hooks of update, delete, destroy and restore. */
export interface ChangedContext<Types extends ModelTypes> extends WrittenContext<Types> {
  /**
   * The result of `rows()` in the before-hook. In a bulk operation, the rows of the written records, in the
   * order of its list.
   */
  readonly before: Types["row"][] | undefined;
}

/**
 * The response to an error of app code. `errors` are the app's codes. Other errors, also of the database, are
 * 500 `INTERNAL_ERROR`. If the database does not respond, it is 503 `HTTP_ERROR`.
 */
export function thrownByApp(thrown: unknown, errors: DeclaredErrors): ServiceError {
  if (thrown instanceof ServiceError) return asDeclared(thrown, errors);
  const failed = () => new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: thrown });
  return databaseUnavailable(classifyDatabaseError(thrown)?.kind, thrown) ?? failed();
}

/** The context of a job. Without a caller: the role is `system`. */
export interface JobContext extends CodeContext {
  /**
   * Aborted when the job has run for too long, or the process stops. A job that then continues can overlap
   * with its next attempt.
   */
  readonly signal: AbortSignal;
}

/** How a job runs. */
export interface JobOptions {
  /** Default 10. */
  readonly attempts?: number;
  /** Per attempt; default 60. */
  readonly timeout_seconds?: number;
  /** Five fields in UTC, such as `30 4 * * 1-5`. The payload is `{}`. */
  readonly cron?: string;
  /** Jobs of one queue run one after the other, across all processes. */
  readonly queue?: string;
}

/** The result of `defineJob`. */
export interface Job<Payload = unknown> extends JobOptions, HasPayload<Payload> {
  readonly payload: PayloadSchema;
  /** The payload was validated. */
  run(payload: never, context: JobContext): unknown;
}

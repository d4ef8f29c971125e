import type { Knex } from "knex";
import type { Logger } from "pino";
import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { type Asks, type Trace, noTrace } from "../../core/concurrency/index.ts";
import { type Transaction, type TransactionPart, classifyDatabaseError } from "../../core/database/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { CodeCalls, withCalls } from "./context-calls.ts";
import type { CodeSql, HasPayload, ModelDatabase } from "./database-types.ts";
import type { CodeJobs, CodeMail, CodeSms, HookMonitoring, HookStorage, MonitoringForHooks, StorageForHooks } from "./module-contexts.ts";
import { ServiceError, asDeclared, notNow } from "../../core/errors/index.ts";
import type { ModelTypes } from "../../models/index.ts";
import type { ObjectSchema } from "./schema-type.ts";

/** Adds properties to a context. Getters stay getters: what stands behind them is made when code asks for it. */
export function extend<Context extends object, Added extends object>(
  context: Context,
  added: Added,
): asserts context is Context & Added {
  Object.defineProperties(context, Object.getOwnPropertyDescriptors(added));
}

/** What of the service is at the hand of code of one's own. */
export interface CodeModules {
  readonly storage: StorageForHooks;
  readonly monitoring: MonitoringForHooks;
  /** The app's own errors, which it may throw. */
  readonly errors: DeclaredErrors;
  readonly jobs: (scope: CodeScope) => CodeJobs;
  readonly database: DatabaseForCode;
  readonly mail: (scope: CodeScope) => CodeMail;
  readonly sms: (scope: CodeScope) => CodeSms;
}

/** The database for code of one's own, where it runs. */
export type DatabaseForCode = (scope: CallScope) => { readonly db: CodeDatabase; readonly sql: CodeSql };

/** What code of one's own runs for: who sent which request. */
export interface CodeOrigin {
  readonly principal: Principal;
  readonly requestId: string;
  readonly log: Logger;
  readonly modules: CodeModules;
  readonly trace: Trace;
  /** The address of a request's client, or which job it is: reads of one share connections. */
  readonly address?: string;
  /** The hooks under way, the outermost first. */
  readonly chain: readonly string[];
  /** What it asks for once the answer has gone. */
  readonly later: Asks;
}

/** What code of one's own runs for, and where. */
export interface CodeScope {
  readonly origin: CodeOrigin;
  /** Null outside any. */
  readonly transaction: Transaction | null;
}

/** A scope, and the calls of the database in it. */
export interface CallScope extends CodeScope {
  readonly calls: CodeCalls;
}

/** What code of one's own is told beside its value (decisions, part 13). */
export interface CodeContext {
  readonly principal: Principal;
  readonly request_id: string;
  readonly log: Logger;
  readonly storage: HookStorage;
  readonly monitoring: HookMonitoring;
  readonly jobs: CodeJobs;
  readonly mail: CodeMail;
  readonly sms: CodeSms;
  /**
   * Has this done after the commit and after the answer, outside any transaction, after what was asked for before it; its context is
   * one of its own. Of what is rolled back, and of a read that fails, nothing follows. What it throws is logged.
   */
  afterCommit(work: (context: CodeContext) => unknown): void;
  readonly db: CodeDatabase;
  readonly sql: CodeSql;
}

/** `context.db`. In a mutation all of it runs in the operation's transaction, elsewhere each call in one of its own. */
export type CodeDatabase = ModelDatabase & {
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
export function codeContext({ origin, transaction }: CodeScope, calls: CodeCalls): CodeContext {
  const { principal, requestId, log, modules } = origin;
  const scope = { origin, transaction, calls };
  // What is asked for stays or goes with the code that asks, not with a call of it that happens to be under way.
  const part = transaction?.part ?? null;
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
    get jobs(): CodeJobs {
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
    get mail(): CodeMail {
      const mail = modules.mail(scope);
      return { send: (message) => runAsked(scope, () => mail.send(message)) };
    },
    get sms(): CodeSms {
      const sms = modules.sms(scope);
      return { send: (message) => runAsked(scope, () => sms.send(message)) };
    },
    afterCommit: (work) => afterCommit(scope, part, work),
  };
}

/** Inside a transaction in turn, and undone alone where it fails: what fails beside it must not undo it, nor it what is there. */
function runAsked<Result>({ transaction, calls }: CallScope, ask: () => Promise<Result>): Promise<Result> {
  return transaction === null ? calls.now(ask) : calls.inTurn(() => transaction.savepoint(ask));
}

function whileOpen(calls: CodeCalls, storage: HookStorage): HookStorage {
  return {
    put: (...words) => calls.beside(() => storage.put(...words)),
    url: (...words) => calls.beside(() => storage.url(...words)),
    remove: (...words) => calls.beside(() => storage.remove(...words)),
  };
}

function afterCommit(
  { origin, calls }: CallScope,
  part: TransactionPart | null,
  work: Parameters<CodeContext["afterCommit"]>[0],
): void {
  calls.noteLaterWork();
  const { later, log } = origin;
  // When it begins, nobody times the request any more.
  const scope = { origin: { ...origin, trace: noTrace }, transaction: null };
  const run = () => withCalls("what follows a commit", (own) => work(codeContext(scope, own)));
  if (part === null) later.addUnlessFailed(run, log);
  else part.afterCommit(() => later.add(run, log));
}

/** The same inside a transaction: also its knex, which is made when a hook asks for it. */
export function mutationContext(
  origin: CodeOrigin,
  transaction: Transaction,
  calls = new CodeCalls(),
): MutationContext {
  const context: CodeContext = codeContext({ origin, transaction }, calls);
  extend(context, {
    get transaction() {
      calls.requireOpen();
      return transaction.knex;
    },
  });
  return context;
}

/** What code finds of modules that are off, and where a service was put together without some: all but `monitoring` refuses, and says why. */
export const absentModules: CodeModules = {
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

/** Hooks may call each other so deep (decisions, part 13). */
const deepest = 8;

/** The chain of what no hook has called. */
export const noneUnderWay: readonly string[] = Object.freeze([]);

/** What a hook runs for, once it is one of those under way. Errors: 500 `INTERNAL_ERROR` where that is too deep; the log has the chain. */
export function withinHook<Origin extends Pick<CodeOrigin, "chain">>(origin: Origin, hook: string): Origin {
  const chain = [...origin.chain, hook];
  if (chain.length <= deepest) return { ...origin, chain };
  throw new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(`hooks call each other more than ${deepest} deep: ${chain.join(" > ")}`),
  });
}

/** What before-hooks of update, delete, destroy and restore are told (decisions, part 13). */
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
 * What a throw of code of one's own is answered with. `errors` are those that its service declares. What is no `ServiceError` is 500
 * `INTERNAL_ERROR`, also where it comes from the database, unless that was silent: then it is 503 `HTTP_ERROR` as everywhere
 * (decisions, part 1).
 */
export function thrownByCode(thrown: unknown, errors: DeclaredErrors): ServiceError {
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

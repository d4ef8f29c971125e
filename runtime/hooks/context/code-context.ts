import type { Knex } from "knex";
import type { Logger } from "pino";
import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { type Asks, noTrace, type Trace } from "../../core/concurrency/index.ts";
import type { Transaction, TransactionPart } from "../../core/database/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { CodeCalls } from "./code-calls.ts";
import type { CodeSql, ModelDatabase } from "./code-database.ts";
import type { CodeJobs } from "./code-jobs.ts";
import type { CodeMail, CodeSms } from "./code-mail.ts";
import { extend } from "./extend.ts";
import type { HookMonitoring, MonitoringForHooks } from "./monitoring-context.ts";
import type { HookStorage, StorageForHooks } from "./storage-context.ts";
import { withCalls } from "./with-calls.ts";

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

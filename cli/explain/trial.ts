import { randomBytes } from "node:crypto";
import { AfterResponse, BackgroundTasks, noTrace } from "#runtime/core/concurrency/index";
import type { Transaction } from "#runtime/core/database/index";
import { ServiceError } from "#runtime/core/errors/index";
import {
  type Caller,
  type CrudServices,
  crud,
  guard,
  operationContext,
  searchedFields,
} from "#runtime/data/operations/index";
import { decidingKey, PlanCache } from "#runtime/data/sql/index";
import { absentModules } from "#runtime/hooks/context/index";
import { type Grant, grantFor, type Principal, requireFields, viewOf } from "#runtime/models/access/index";
import { createLog, unbufferedLog } from "#runtime/process/index";
import type { AskedInput } from "./asked-input.ts";
import { type ExplainedApp, runtimeModelsOf, type Subject } from "./subject.ts";

/** In the place of a password and of other values that must not be printed. */
export const hiddenValue = "(hidden)";

/** A statement of the service, with its bound values. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What the service did. */
interface Trial {
  readonly statements: readonly SentStatement[];
  /** Null for success. */
  readonly error: unknown;
}

class RolledBack extends Error {}

/** Runs work in a transaction or a savepoint that is rolled back, and returns its result. */
export async function rolledBack<Context, Result>(
  begin: (work: (context: Context) => Promise<never>) => Promise<never>,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = [];
  try {
    return await begin(async (context) => {
      results.push(await work(context));
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  for (const result of results.slice(-1)) return result;
  throw new Error("a transaction ended without its result");
}

/** Runs code of the service for a caller in a savepoint that is rolled back. No id is used up. */
export async function trial(
  { connection, service }: ExplainedApp,
  principal: Principal,
  work: (services: CrudServices, caller: Caller) => Promise<unknown>,
): Promise<Trial> {
  const statements: SentStatement[] = [];
  const transaction = recorded(connection, statements);
  const { run } = transaction;
  const log = createLog("explain", "silent", unbufferedLog(undefined, "explain"));
  const services: CrudServices = {
    database: { run, readsOf: () => transaction, transaction: (act) => act(transaction) },
    models: runtimeModelsOf(service),
    ...{ plans: new PlanCache(), log, cursorKeys: [randomBytes(32)] as const, bulkLimit: 1_000 },
    ...{ hashPassword: async () => hiddenValue, modules: absentModules },
  };
  const later = new AfterResponse(new BackgroundTasks(log));
  const rest = { ensureNotRevoked: null, requestId: "explain", address: "", trace: noTrace };
  const error = await rolledBack(
    (act: (none: null) => Promise<never>) => connection.savepoint(() => act(null)),
    async () => {
      await connection.run({ name: null, text: "set constraints all immediate" }, []);
      return work(services, { principal, later, ...rest }).then(
        () => null,
        (thrown: unknown) => thrown,
      );
    },
  );
  return { statements, error };
}

function recorded(connection: Transaction, statements: SentStatement[]): Transaction {
  return {
    run({ text }, values) {
      statements.push({ text, values });
      return connection.run({ name: null, text: withId(text) }, values);
    },
    savepoint: (work) => connection.savepoint(work),
    get knex() {
      return connection.knex;
    },
    get currentSavepoint() {
      return connection.currentSavepoint;
    },
  };
}

const insertWithoutId =
  /insert into ("(?:[^"]|"")+") as t (?:\((?!"id")([^)]*)\) (values \(|select )|default values)/;

/** Gives a new row an unused id, because a sequence is not rolled back. */
function withId(text: string): string {
  return text.replace(insertWithoutId, (_, table: string, columns?: string, values = "values (") => {
    const id = `(select least(min("id"), 0) - 1 from ${table})`;
    const [names, rest, end] =
      columns === undefined ? [`"id"`, id, ")"] : [`"id", ${columns}`, `${id}, `, ""];
    return `insert into ${table} as t (${names}) overriding system value ${values}${rest}${end}`;
  });
}

/** The checks of the service before it looks at rows. Errors: 403. */
export function admitted(
  { entry, model, operation }: Subject,
  principal: Principal,
  input: AskedInput,
): Grant {
  const view = viewOf(model, entry.policy, principal);
  const grant = guard(entry.policy[operation]).authorize(principal);
  const { list, data } = input;
  requireFields(view, { ...list, ...(data !== null && { data }) });
  // An upsert reveals that a row with this key exists.
  const key = operation === "upsert" && data !== null ? (decidingKey(model, data) ?? []) : [];
  requireFields(view, { filters: key.map((field) => ({ field })) });
  if (operation === "search") searchedFields({ model, view }, operation, list);
  return grantFor(grant, data ?? undefined);
}

/** Whether a request has all that its operation needs. */
export function isComplete({ operation }: Subject, { rows, data }: AskedInput): boolean {
  const isNew = operation === "create" || operation === "upsert";
  return isNew || operation === "update" ? data !== null && (isNew || rows !== null) : rows !== null;
}

/** Sends a request. Hooks do not run. */
export async function sent(
  subject: Subject,
  input: AskedInput,
  services: CrudServices,
  caller: Caller,
): Promise<unknown> {
  const { entry, operation } = subject;
  const grant = admitted(subject, caller.principal, input);
  const call = operationContext(services, { ...entry, hooks: {} }, caller);
  const { list, rows } = input;
  const data = input.data ?? {};
  const filters = rows?.filters ?? [];
  switch (operation) {
    case "fetch":
    case "search":
    case "count":
    case "exists":
      return crud[operation].run(call, grant, list);
    case "create":
    case "upsert":
      return crud[operation].run(call, grant, { data });
    case "update":
    case "restore":
      return crud[operation].run(call, grant, { filters, data });
    default:
      return crud[operation].run(call, grant, { filters });
  }
}

/** The refusal of the service; null for success. Throws other errors, and the causes of errors of the server. */
export function refusalIn(error: unknown): ServiceError | null {
  if (error === null) return null;
  if (!(error instanceof ServiceError)) throw error;
  if (error.status >= 500) throw error.cause ?? error;
  return error;
}

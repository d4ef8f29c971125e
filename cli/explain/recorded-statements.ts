import { randomBytes } from "node:crypto";
import { AfterResponse, BackgroundTasks, noTrace } from "#runtime/core/concurrency/index";
import type { Queryable, Statement } from "#runtime/core/database/index";
import { ServiceError } from "#runtime/core/errors/index";
import { crud, guard, type MutationScope, operationContext } from "#runtime/data/operations/index";
import { PlanCache } from "#runtime/data/sql/index";
import { absentModules } from "#runtime/hooks/context/index";
import { grantFor, type Principal } from "#runtime/models/access/index";
import { createLog, unbufferedLog } from "#runtime/process/index";
import { type AskedInput, isRead } from "./asked-input.ts";
import type { ExplainedApp, Subject } from "./subject.ts";

/** A statement of an operation, with its bound values. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** In the place of a password and of other values that must not be printed. */
export const hiddenValue = "(hidden)";

/** The services and the caller of operations whose statements are recorded. Hooks do not run. */
export function recording(app: ExplainedApp, principal: Principal, runs: boolean) {
  const recorded: RecordedStatement[] = [];
  const connection: Queryable = {
    async run({ text }: Statement, values) {
      recorded.push({ text, values });
      return runs ? app.connection.run({ name: null, text }, values) : [];
    },
  };
  const entries = [...app.service.models, ...app.service.internalModels];
  const log = createLog("explain", "silent", unbufferedLog(undefined, "explain"));
  const services = {
    database: { run: connection.run, readsOf: () => connection, transaction: neverRuns },
    models: new Map(entries.map(({ model }) => [model.key, model])),
    ...{ plans: new PlanCache(), log, cursorKeys: [randomBytes(32)] as const, bulkLimit: 1_000 },
    ...{ hashPassword: async () => hiddenValue, modules: absentModules },
  };
  const later = new AfterResponse(new BackgroundTasks(log));
  const rest = { ensureNotRevoked: null, requestId: "explain", address: "", trace: noTrace };
  return { recorded, connection, services, caller: { principal, later, ...rest } };
}

/**
 * The statements that the service sends for a request, in order. Those of a read run in the transaction. Those of a write do not run:
 * each seems to find no row, so that the operation ends.
 */
export async function recordedStatements(
  subject: Subject,
  principal: Principal,
  input: AskedInput,
): Promise<readonly RecordedStatement[]> {
  const { app, entry, operation } = subject;
  const { recorded, connection, services, caller } = recording(app, principal, isRead(operation));
  const call = operationContext(services, { ...entry, hooks: {} }, caller);
  const work = { connection, transaction: null, trace: noTrace, errors: {}, context: neverRuns };
  await run(subject, call, principal, input, work).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
  });
  return recorded;
}

function neverRuns(): never {
  throw new Error("hooks and transactions do not run");
}

async function run(
  { entry, operation, model }: Subject,
  call: ReturnType<typeof operationContext>,
  principal: Principal,
  { list, rows, data }: AskedInput,
  work: MutationScope,
): Promise<unknown> {
  const grant = grantFor(guard(entry.policy[operation]).authorize(principal), data ?? undefined);
  const filters = rows?.filters ?? [];
  switch (operation) {
    case "fetch":
    case "search":
    case "count":
    case "exists":
      return crud[operation].run(call, grant, list);
    case "create":
    case "upsert":
      return data === null ? null : crud[operation].execute(call, grant, work, { data });
    case "update":
    case "restore": {
      const { id, ...fields } = data ?? {};
      const isComplete = rows !== null && (operation === "restore" ? model.softDelete : data !== null);
      return isComplete ? crud[operation].execute(call, grant, work, { filters, data: fields }) : null;
    }
    default:
      return rows === null ? null : crud[operation].execute(call, grant, work, { filters });
  }
}

import { databaseName } from "../../../vocabulary/identifiers.ts";
import { isTransient, type Transaction } from "../../core/database/index.ts";
import {
  type AppDatabase,
  type CallerDatabase,
  type CallScope,
  type MakeAppDatabase,
  type MutationContext,
  mutationContext,
  withCalls,
} from "../../hooks/context/index.ts";
import { guest } from "../../models/access/index.ts";
import { databaseProblem, type OperationDatabase } from "../operations/index.ts";
import { builtInUsers } from "../users/index.ts";
import { appSql, statementRunner } from "./app-sql.ts";
import { type AppDatabaseSource, asApp, asCaller, type CallMode } from "./call-mode.ts";
import { readAccess, writeAccess } from "./model-access.ts";

/** The key of the call mode on the objects that app code gets. */
const standing = Symbol("standing");

interface WithCallMode {
  readonly [standing]: CallMode;
}

/** Makes `context.db`, `context.sql` and `context.kysely` for all app code. */
export function makeAppDatabase(app: AppDatabaseSource): MakeAppDatabase {
  const models = accessByName(app);
  return (scope) => ({
    get db() {
      return appDatabase(app, models, scope);
    },
    get sql() {
      return appSql(app, scope);
    },
    get kysely() {
      const { kysely } = app.services.modules;
      if (kysely === null) throw new Error(kyselyIsOff);
      return kysely(statementRunner(app, scope));
    },
  });
}

const kyselyIsOff =
  'context.kysely is off: set "typescript": { "kysely": true } in models/manifest.json, and run npm run generate (docs/kysely.md)';

/** One getter per model on a shared prototype; the methods are made on first use. */
function accessByName({ entries }: AppDatabaseSource): object {
  const models: object = Object.create(null);
  for (const entry of entries) {
    const isReadOnly = entry.model.key === builtInUsers.key || entry.model.readOnly === true;
    Object.defineProperty(models, databaseName(entry.model.key), {
      enumerable: true,
      get(this: WithCallMode) {
        const { [standing]: who } = this;
        const reading = readAccess(who, entry);
        return isReadOnly ? reading : { ...reading, ...writeAccess(who, entry) };
      },
    });
  }
  return models;
}

/** Typed by the generated types of the models. */
function appDatabase(app: AppDatabaseSource, models: object, scope: CallScope): AppDatabase {
  return Object.create(models, {
    [standing]: { value: asApp(app, scope) },
    as: { value: (who: unknown) => callerDatabase(app, models, scope, who) },
    transaction: { value: transactionOf(app, scope) },
  });
}

function callerDatabase(
  app: AppDatabaseSource,
  models: object,
  scope: CallScope,
  who: unknown,
): CallerDatabase {
  if (who !== "caller") throw new TypeError('context.db.as() only accepts "caller"');
  const { user_id, role } = scope.origin.principal;
  // Code without a request has neither a user nor the role of guests.
  if (user_id === null && role !== guest.role)
    throw new Error('context.db.as("caller"): a job has no caller');
  return Object.create(models, { [standing]: { value: asCaller(app, scope) } });
}

/** `context.db.transaction`: a savepoint inside a transaction, else a new transaction. */
function transactionOf({ services }: AppDatabaseSource, scope: CallScope): AppDatabase["transaction"] {
  const { origin, transaction, calls } = scope;
  return <Result>(work: (context: MutationContext) => Promise<Result>) => {
    const run = (within: Transaction) =>
      withCalls("context.db.transaction()", (inner) => work(mutationContext(origin, within, inner)));
    if (transaction === null) return calls.passOn(() => newTransaction(services.database, run), "now");
    return calls.passOn(() => transaction.savepoint(() => run(transaction)), "serialize");
  };
}

/**
 * Runs app code in a new transaction. Errors of the work stay as they are; errors of the transaction become
 * those of an operation.
 */
async function newTransaction<Result>(
  database: OperationDatabase,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let thrown: unknown = null;
  try {
    return await database.transaction((transaction) =>
      work(transaction).catch((error: unknown) => {
        thrown = error;
        throw error;
      }),
    );
  } catch (error) {
    throw error === thrown && !isTransient(error) ? error : databaseProblem(error, null);
  }
}

import { databaseName } from "../../../vocabulary/identifiers.ts";
import { isTransient, type Transaction } from "../../core/database/index.ts";
import {
  type CallerDatabase,
  type CallScope,
  type CodeDatabase,
  type DatabaseForCode,
  type MutationContext,
  mutationContext,
  withCalls,
} from "../../hooks/context/index.ts";
import { guest } from "../../models/access/index.ts";
import { databaseProblem, type OperationDatabase } from "../operations/index.ts";
import { builtInUsers } from "../users/index.ts";
import type { CodeApplication } from "./code-application.ts";
import { codeSql } from "./code-sql.ts";
import { readAccess } from "./read-access.ts";
import { ofCaller, ofCode, type Standing } from "./standing.ts";
import { writeAccess } from "./write-access.ts";

/** Under which the objects that code gets keep by whose rights they work: no model has such a name. */
const standing = Symbol("standing");

interface Standee {
  readonly [standing]: Standing;
}

/** Makes `context.db` and `context.sql` for wherever code runs. */
export function databaseForCode(app: CodeApplication): DatabaseForCode {
  const models = accessByName(app);
  return (scope) => ({
    get db() {
      return codeDatabase(app, models, scope);
    },
    get sql() {
      return codeSql(app, scope);
    },
  });
}

/** A getter for each model, on what all contexts share: what stands behind it is made for who asks. */
function accessByName({ entries }: CodeApplication): object {
  const models: object = Object.create(null);
  for (const entry of entries) {
    const isReadOnly = entry.model.key === builtInUsers.key;
    Object.defineProperty(models, databaseName(entry.model.key), {
      enumerable: true,
      get(this: Standee) {
        const { [standing]: who } = this;
        const reading = readAccess(who, entry);
        return isReadOnly ? reading : { ...reading, ...writeAccess(who, entry) };
      },
    });
  }
  return models;
}

/** The models are those that the generator made the types of. */
function codeDatabase(app: CodeApplication, models: object, scope: CallScope): CodeDatabase {
  return Object.create(models, {
    [standing]: { value: ofCode(app, scope) },
    as: { value: (who: unknown) => callerDatabase(app, models, scope, who) },
    transaction: { value: transactionOf(app, scope) },
  });
}

function callerDatabase(
  app: CodeApplication,
  models: object,
  scope: CallScope,
  who: unknown,
): CallerDatabase {
  if (who !== "caller") throw new TypeError('context.db.as() takes "caller" alone');
  const { user_id, role } = scope.origin.principal;
  // Who has no credential is a guest, and what nobody has sent has another role.
  if (user_id === null && role !== guest.role)
    throw new Error('context.db.as("caller"): a job has no caller');
  return Object.create(models, { [standing]: { value: ofCaller(app, scope) } });
}

/** `context.db.transaction`: inside a transaction a part that is undone by itself, elsewhere one of its own. */
function transactionOf({ services }: CodeApplication, scope: CallScope): CodeDatabase["transaction"] {
  const { origin, transaction, calls } = scope;
  return <Result>(work: (context: MutationContext) => Promise<Result>) => {
    const run = (within: Transaction) =>
      withCalls("context.db.transaction()", (inner) => work(mutationContext(origin, within, inner)));
    if (transaction === null) return calls.handOn(() => ownTransaction(services.database, run), "now");
    return calls.handOn(() => transaction.savepoint(() => run(transaction)), "inTurn");
  };
}

/** A transaction of code. What its work throws stays what it is; where the transaction itself fails, that is told as of an operation. */
async function ownTransaction<Result>(
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

import type { Transaction } from "../../../core/database/index.ts";
import type { Caller, CrudServices, ModelEntry } from "../../../data/operations/index.ts";
import { findUser, noSuchCaller } from "../users/users-table.ts";
import { type AccountDataServices, accountData } from "./account-data.ts";
import { type ExportedModel, exportedModels, pagesOf } from "./model-rows.ts";

export interface AccountExport extends AccountDataServices {
  readonly crud: CrudServices;
  /** The models that callers can fetch. */
  readonly fetched: readonly ModelEntry[];
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * The data of an account as JSON text, in parts. Each page of rows is read when the one before was taken.
 * Errors: `NOT_FOUND` before the first part.
 */
export async function* exportedParts(
  connection: Transaction,
  services: AccountExport,
  caller: Caller,
  userId: string,
): AsyncGenerator<string> {
  const { fetched, now } = services;
  const user = await findUser(connection, userId);
  if (user === null) throw noSuchCaller();
  const account = await accountData(connection, services, user);
  yield `{"exported_at":${JSON.stringify(new Date(now()).toISOString())},"account":${JSON.stringify(account)},"models":{`;
  const crud = readingFrom(connection, services.crud);
  const truncated: string[] = [];
  for (const [index, exported] of exportedModels(fetched, caller).entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(exported.entry.model.key)}:[`;
    if (yield* rowsOf(crud, caller, exported)) truncated.push(exported.entry.model.key);
    yield "]";
  }
  yield `},"truncated":${JSON.stringify(truncated)}}`;
}

/** Operations that read from the transaction. What hooks of the app write has its own transaction. */
function readingFrom(connection: Transaction, crud: CrudServices): CrudServices {
  const { database } = crud;
  const reads = { run: database.run.bind(database), readsOf: () => connection };
  return { ...crud, database: { ...reads, transaction: (work) => database.transaction(work) } };
}

/** The rows of a model, without the brackets of their list. Returns whether rows are left out. */
async function* rowsOf(
  services: CrudServices,
  caller: Caller,
  exported: ExportedModel,
): AsyncGenerator<string, boolean> {
  let [isFirst, isTruncated] = [true, false];
  for await (const page of pagesOf(services, caller, exported)) {
    isTruncated = page.isTruncated;
    const rows = page.data.slice(1, -1);
    if (rows === "") continue;
    yield isFirst ? rows : `,${rows}`;
    isFirst = false;
  }
  return isTruncated;
}

import type { Caller, CrudServices, ModelEntry } from "../../../data/operations/index.ts";
import type { UserRow } from "../users/users-table.ts";
import { accountData } from "./account-data.ts";
import { type ExportedModel, exportedModels, pagesOf } from "./model-rows.ts";

export interface AccountExport {
  readonly crud: CrudServices;
  /** The models that callers can fetch. */
  readonly fetched: readonly ModelEntry[];
  /** Milliseconds. */
  readonly now: () => number;
}

/** The data of an account as JSON text, in parts. Each page of rows is read when the one before was taken. */
export async function* exportedParts(
  services: AccountExport,
  caller: Caller,
  user: UserRow,
): AsyncGenerator<string> {
  const { crud, fetched, now } = services;
  const account = await accountData(crud.database, user);
  yield `{"exported_at":${JSON.stringify(new Date(now()).toISOString())},"account":${JSON.stringify(account)},"models":{`;
  const truncated: string[] = [];
  for (const [index, exported] of exportedModels(fetched, caller).entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(exported.entry.model.key)}:[`;
    if (yield* rowsOf(crud, caller, exported)) truncated.push(exported.entry.model.key);
    yield "]";
  }
  yield `},"truncated":${JSON.stringify(truncated)}}`;
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

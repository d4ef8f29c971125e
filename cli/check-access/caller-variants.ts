import type { AccessCheck, RuleRow } from "./access-check.ts";
import type { CheckCaller } from "./check-callers.ts";
import type { MadeRow } from "./make-rows.ts";
import { askReads } from "./questions/ask-reads.ts";
import { askWrites } from "./questions/ask-writes.ts";
import type { Stored } from "./table-rows.ts";

/** The rows of a variant, or those of the callers as they are. */
export function ruleRows(
  made: ReadonlyMap<string, readonly MadeRow[]>,
  stored: Stored,
  variant: CallerVariant | null,
): Map<string, RuleRow[]> {
  const rowOf = (model: string, { id, record }: MadeRow) =>
    record === null ? stored.get(model)?.get(id) : { id, isDeleted: false, values: record };
  const isAsked = (row: MadeRow) =>
    variant === null ? row.callerColumns.size === 0 : variantName(row) === variant.name;
  return new Map(
    [...made].map(([key, rows]) => {
      const found = rows.filter(isAsked).flatMap((each): RuleRow[] => {
        const row = rowOf(key.slice(0, key.indexOf(".")), each);
        return row === undefined ? [] : [{ row, caller: variantName(each) }];
      });
      return [key, found];
    }),
  );
}

/** A caller whose row in `users` has other columns. */
export interface CallerVariant {
  readonly name: string;
  readonly caller: CheckCaller;
  readonly columns: MadeRow["callerColumns"];
  /** Keys of the models with rows for it. */
  readonly models: ReadonlySet<string>;
}

function variantName({ caller, callerColumns }: Pick<MadeRow, "caller" | "callerColumns">): string {
  const columns = [...callerColumns].map(([name, value]) => `${name} ${value ?? "null"}`);
  return columns.length === 0 ? caller : `${caller} with ${columns.sort().join(", ")}`;
}

/** The variants for which rows were made. */
export function variantsOf(
  made: ReadonlyMap<string, readonly MadeRow[]>,
  callers: readonly CheckCaller[],
): CallerVariant[] {
  const found = new Map<string, CallerVariant>();
  for (const [key, rows] of made)
    for (const row of rows) {
      const caller = callers.find(({ name }) => name === row.caller);
      if (row.callerColumns.size === 0 || caller === undefined) continue;
      const name = variantName(row);
      const models = new Set([...(found.get(name)?.models ?? []), key.slice(0, key.indexOf("."))]);
      found.set(name, { name, caller, columns: row.callerColumns, models });
    }
  return [...found.values()];
}

/** Asks as a caller whose row in `users` is different for a while. */
export async function askVariant(
  check: AccessCheck,
  made: ReadonlyMap<string, readonly MadeRow[]>,
  variant: CallerVariant,
): Promise<void> {
  const { name, caller, columns, models } = variant;
  const asking = { ...check, callers: [{ ...caller, name }], rows: ruleRows(made, check.stored, variant) };
  const id = caller.principal.user_id ?? "";
  const before = await changeUser(check, id, columns);
  for (const model of check.definition.models)
    if (models.has(model.key)) {
      await askReads(asking, model);
      await askWrites(asking, model);
    }
  await changeUser(check, id, before);
}

/** Sets columns of a user, unseen by the journal. Returns the values before. */
async function changeUser(
  { service: { database }, definition }: AccessCheck,
  id: string,
  columns: MadeRow["callerColumns"],
): Promise<MadeRow["callerColumns"]> {
  const table = definition.models.find(({ builtIn }) => builtIn)?.table ?? "users";
  const names = [...columns.keys()];
  const [row = {}] = await database.query<Readonly<Record<string, string | null>>>(
    `select ${names.map((name) => `"${name}"::text`).join(", ")} from "${table}" where id::text = $1`,
    [id],
  );
  const sets = [...columns].map(([name, value]) => `"${name}" = ${quoted(value)}`);
  // Both statements are in one transaction.
  await database.query(
    `select set_config('kirak_check.reverting', 'on', true); update "${table}" set ${sets.join(", ")} where id::text = ${quoted(id)}`,
  );
  return new Map(names.map((name) => [name, row[name] ?? null]));
}

function quoted(text: string | null): string {
  return text === null ? "null" : `'${text.replaceAll("'", "''")}'`;
}

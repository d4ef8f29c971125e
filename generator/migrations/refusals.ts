import { isRuntimeColumn } from "../../vocabulary/runtime-columns.ts";
import type { ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import { declaredRenames } from "./renames.ts";
import type { Table } from "./schema.ts";

/**
 * The changes that no migration can make, or that could mean two things, in words for the user: each says how to get
 * there in several runs.
 */
export function refusals(before: readonly Table[], definition: ServiceDefinition): string[] {
  const renames = new Map(declaredRenames(before, definition).map(({ from, to }) => [to, from]));
  const keys = new Set(definition.models.map(({ key }) => key));
  return definition.models.flatMap((model) => {
    const own = before.find((table) => table.model === model.key);
    const former = before.find((table) => table.model === model.renamedFrom && !keys.has(table.model));
    if (own !== undefined && former !== undefined) return [twoHolders("model", model.key, former.model)];
    const table = own ?? former;
    if (table === undefined) return [];
    if (table.name !== model.table && renames.get(model.table) !== table.name)
      return [takenTable(model, table.name)];
    return fieldRefusals(model, table);
  });
}

function fieldRefusals({ key, fields }: ModelDefinition, table: Table): string[] {
  const held = new Set(table.columns.map(({ name }) => name));
  const names = new Set(fields.map(({ name }) => name));
  return fields.flatMap(({ name, renamedFrom }) =>
    renamedFrom !== null && bothHeld(name, renamedFrom, held) && !names.has(renamedFrom)
      ? [twoHolders("field", `${key}.${name}`, renamedFrom)]
      : [],
  );
}

/** A runtime column is there again once a field has taken the place of the former one. */
function bothHeld(name: string, former: string, held: ReadonlySet<string>): boolean {
  return held.has(name) && held.has(former) && !isRuntimeColumn(former);
}

function twoHolders(what: "model" | "field", name: string, former: string): string {
  return (
    `${what} ${name} says renamed_from "${former}", but the database has both. To replace the data of ${name}: ` +
    `remove the ${what} ${name}, generate, then rename "${former}". To drop "${former}": remove renamed_from`
  );
}

function takenTable({ key, table }: ModelDefinition, former: string): string {
  return (
    `the table "${former}" of model ${key} cannot be called "${table}" while another table has that name: ` +
    `drop or rename that one in a run before, or take a third name in between`
  );
}

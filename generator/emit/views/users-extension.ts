import { isUserField } from "../../../vocabulary/accounts/user-fields.ts";
import { internalTables } from "../../../vocabulary/migrations/internal-tables.ts";
import type { ModelDefinition } from "../../definition/definition.ts";

const builtInKeys: ReadonlySet<string> = new Set(internalTables.users);

/** What an app adds to the accounts. */
export function addedToUsers({ fields, relations, uniqueKeys }: ModelDefinition) {
  return {
    fields: fields.filter(({ name }) => !isUserField(name)),
    relations,
    uniqueKeys: uniqueKeys.filter(({ name }) => !builtInKeys.has(name)),
  };
}

/** Whether an app adds to the columns, relations or keys of accounts. */
export function extendsUsers(model: ModelDefinition): boolean {
  return Object.values(addedToUsers(model)).some(({ length }) => length > 0);
}

/** Whether an app adds columns to the accounts. */
export function addsColumns(model: ModelDefinition): boolean {
  return addedToUsers(model).fields.length > 0;
}

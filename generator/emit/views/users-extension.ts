import { selfRole } from "../../../vocabulary/accounts/role-names.ts";
import { isUserField } from "../../../vocabulary/accounts/user-fields.ts";
import { internalTables } from "../../../vocabulary/migrations/internal-tables.ts";
import type { FieldAccessDefinition, ModelDefinition } from "../../definition/definition.ts";

const builtInKeys: ReadonlySet<string> = new Set(internalTables.users);

/** The parts of `users` that the app adds. */
export function addedToUsers({ fields, relations, uniqueKeys }: ModelDefinition) {
  return {
    fields: fields.filter(({ name }) => !isUserField(name)),
    relations,
    uniqueKeys: uniqueKeys.filter(({ name }) => !builtInKeys.has(name)),
  };
}

/** Whether the app adds columns, relations or keys to `users`. */
export function extendsUsers(model: ModelDefinition): boolean {
  return Object.values(addedToUsers(model)).some(({ length }) => length > 0);
}

/** Whether the app adds columns to `users`. */
export function addsColumns(model: ModelDefinition): boolean {
  return addedToUsers(model).fields.length > 0;
}

/** The columns of `users` that someone reads or writes, with `self` among the roles. */
export function openedColumns({ access }: ModelDefinition): FieldAccessDefinition[] {
  return access.fields
    .map(withSelf)
    .filter(({ read, write }) => [...(read ?? []), ...(write ?? [])].length > 0);
}

function withSelf({ field, read, write, owner }: FieldAccessDefinition): FieldAccessDefinition {
  return {
    field,
    read: owner?.reads ? [...(read ?? []), selfRole] : read,
    write: owner?.writes ? [...(write ?? []), selfRole] : write,
  };
}

import { usersKey } from "../../load/built-in-users.ts";
import { gateOf, type Matrix, type RoleRows, rolesWith } from "./access-matrix.ts";
import { parseMatrix } from "./parse-matrix.ts";

/** The roles that can access a new model, with their operations. */
export interface ModelReach {
  readonly model: string;
  readonly internal: boolean;
  readonly roles: readonly { readonly role: string; readonly operations: readonly string[] }[];
}

/** The roles and operations of models in a matrix. */
export function reachOfModels(models: readonly string[], matrix: Matrix): ModelReach[] {
  return models.map((model) => {
    const access = matrix.get(model);
    const roles = new Map<string, string[]>();
    for (const [operation, reaches] of access?.operations ?? [])
      for (const role of reaches.keys())
        if (operation === "join" || opensMore(role, reaches))
          roles.set(role, [...(roles.get(role) ?? []), operation]);
    const sorted = [...roles].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      model,
      internal: access?.internal ?? true,
      roles: sorted.map(([role, operations]) => ({ role, operations })),
    };
  });
}

/** Whether a role can access more rows than wider roles. */
function opensMore(role: string, reaches: RoleRows): boolean {
  const wider = rolesWith(role).flatMap((wide) => (wide === role ? [] : (reaches.get(wide) ?? [])));
  return reaches.get(role)?.some((rows) => !wider.includes(rows)) === true;
}

/** The fields (`books.isbn`) of a list that everyone can read. */
export function readByEverybody(fields: readonly string[], matrix: Matrix): string[] {
  return fields.filter((name) => {
    const [model = "", field = ""] = name.split(".");
    const access = matrix.get(model);
    if (access === undefined || !gateOf(access, field).read.has("*")) return false;
    return model === usersKey || [...access.operations.values()].some((roles) => roles.has("*"));
  });
}

/** The access to new models and fields. Parses the matrix only if there are any. */
export function newReach(models: readonly string[], fields: readonly string[], text: string) {
  const matrix = models.length + fields.length === 0 ? new Map() : parseMatrix(text).models;
  return { newModels: reachOfModels(models, matrix), openFields: readByEverybody(fields, matrix) };
}

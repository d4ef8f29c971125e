import { gateOf, type Matrix, parseMatrix, type Reach, rolesWith } from "./access-matrix.ts";

/** Who reaches a new model, and by what. */
export interface ModelReach {
  readonly model: string;
  readonly internal: boolean;
  readonly roles: readonly { readonly role: string; readonly operations: readonly string[] }[];
}

/** Who reaches each of some models in a matrix. */
export function reachOfModels(models: readonly string[], matrix: Matrix): ModelReach[] {
  return models.map((model) => {
    const access = matrix.get(model);
    const roles = new Map<string, string[]>();
    for (const [operation, reaches] of access?.operations ?? [])
      for (const [role, reach] of reaches)
        if (operation === "join" || opensMore(role, reach, reaches))
          roles.set(role, [...(roles.get(role) ?? []), operation]);
    const sorted = [...roles].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      model,
      internal: access?.internal ?? true,
      roles: sorted.map(([role, operations]) => ({ role, operations })),
    };
  });
}

/** Whether a role reaches rows that a wider one does not: the matrix also has a line for a role that only a field gate names. */
function opensMore(role: string, { rows }: Reach, reaches: ReadonlyMap<string, Reach>): boolean {
  return rolesWith(role).every((wide) => wide === role || reaches.get(wide)?.rows !== rows);
}

/** Those of some fields (`books.isbn`) that everyone reads. */
export function readByEverybody(fields: readonly string[], matrix: Matrix): string[] {
  return fields.filter((name) => {
    const [model = "", field = ""] = name.split(".");
    const access = matrix.get(model);
    if (access === undefined || !gateOf(access, field).read.has("*")) return false;
    return access.closed || [...access.operations.values()].some((roles) => roles.has("*"));
  });
}

/** Reads the matrix of a run only where it adds something. */
export function newReach(models: readonly string[], fields: readonly string[], text: string) {
  const matrix = models.length + fields.length === 0 ? new Map() : parseMatrix(text);
  return { newModels: reachOfModels(models, matrix), openFields: readByEverybody(fields, matrix) };
}

/** Columns that every row has and no caller can write; `deleted_at` only with soft delete. */
export const runtimeColumns = ["id", "created_at", "updated_at", "deleted_at"] as const;

export type RuntimeColumn = (typeof runtimeColumns)[number];

const names: ReadonlySet<string> = new Set(runtimeColumns);

export function isRuntimeColumn(name: string): name is RuntimeColumn {
  return names.has(name);
}

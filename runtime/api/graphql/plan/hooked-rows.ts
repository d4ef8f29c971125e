import type { Item, ObjectSelection } from "./object-selection.ts";

/** A selection as an after-hook sees its rows, and the way from those rows to the answer. */
export interface HookedRows {
  readonly selection: ObjectSelection;
  readonly toAnswer: (row: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/**
 * Names columns by themselves, so that no alias hides a field from a hook that masks it. Joins stand under `__0`, `__1`, …,
 * which no field can be called.
 */
export function hookedRows(selection: ObjectSelection): HookedRows {
  const { items, member } = selection;
  const nameOf = (item: Item, index: number) => (item.kind === "column" ? item.column.name : `__${index}`);
  const named = new Map(items.map((item, index) => [nameOf(item, index), item]));
  return {
    selection: { member, items: [...named].map(([key, item]) => ({ ...item, key })) },
    toAnswer(row) {
      // Fields may be called `constructor`, which every object has.
      const values = new Map(Object.entries(row));
      const answered = (item: Item, index: number) =>
        item.kind === "typename" ? member.model.key : (values.get(nameOf(item, index)) ?? null);
      return Object.fromEntries(items.map((item, index) => [item.key, answered(item, index)]));
    },
  };
}

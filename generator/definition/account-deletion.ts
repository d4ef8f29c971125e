import type { ForeignKeyDefinition, ModelDefinition } from "./definition.ts";

/** What the deletion of an account does to the rows of a foreign key. */
export interface DeletionEffect {
  readonly model: string;
  readonly field: string;
  readonly onDelete: ForeignKeyDefinition["onDelete"];
  /** The relations from an account to this one, which is the last: `orders.customer_id`, `order_items.order_id`. */
  readonly path: readonly string[];
}

/**
 * The foreign keys that the deletion of an account reaches, each once, by its shortest path. Beyond a model, only
 * those that lead to rows that are removed.
 */
export function deletionEffects(models: readonly ModelDefinition[]): DeletionEffect[] {
  const users = models.find(({ builtIn }) => builtIn);
  if (users === undefined) return [];
  const effects: DeletionEffect[] = [];
  const expanded = new Set([users.key]);
  let level: readonly { readonly key: string; readonly path: readonly string[] }[] = [
    { key: users.key, path: [] },
  ];
  while (level.length > 0) {
    const found = level.flatMap(({ key, path }) => referencesTo(models, key, path)).sort(byPath);
    effects.push(...found);
    const removed = found.filter(({ onDelete }) => onDelete === "cascade");
    level = removed.flatMap(({ model, path }) => {
      if (expanded.has(model)) return [];
      expanded.add(model);
      return [{ key: model, path }];
    });
  }
  return effects.sort(byPath);
}

function referencesTo(
  models: readonly ModelDefinition[],
  target: string,
  path: readonly string[],
): DeletionEffect[] {
  return models.flatMap(({ key: model, fields }) =>
    fields.flatMap(({ name: field, foreignKey }) =>
      foreignKey?.model === target
        ? [{ model, field, onDelete: foreignKey.onDelete, path: [...path, `${model}.${field}`] }]
        : [],
    ),
  );
}

function byPath(a: DeletionEffect, b: DeletionEffect): number {
  const [one, other] = [a.path.join(" > "), b.path.join(" > ")];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** What the deletion of an account does, in one sentence without a full stop. */
export function deletionSentence(effects: readonly DeletionEffect[]): string {
  const named = (onDelete: DeletionEffect["onDelete"], name: (effect: DeletionEffect) => string) =>
    [...new Set(effects.filter((effect) => effect.onDelete === onDelete).map(name))].sort();
  const relation = ({ model, field }: DeletionEffect) => `${model}.${field}`;
  const [removed, emptied, refusing] = [
    named("cascade", ({ model }) => model),
    named("set_null", relation),
    named("restrict", relation),
  ];
  const parts = [
    ...(removed.length === 0 ? [] : [`removes ${removed.join(", ")}`]),
    ...(emptied.length === 0 ? [] : [`empties ${emptied.join(", ")}`]),
    ...(refusing.length === 0
      ? []
      : [`is refused while ${refusing.join(", ")} ${refusing.length === 1 ? "refers" : "refer"} to it`]),
  ];
  return `deleting an account ${parts.length === 0 ? "affects no model" : parts.join("; ")}`;
}

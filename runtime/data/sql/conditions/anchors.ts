import type { Condition } from "../../../../vocabulary/conditions/conditions.ts";
import type { Model } from "../../../models/index.ts";
import {
  fieldPathOf,
  fieldsOf,
  type Hop,
  type Leaf,
  type Models,
  type Path,
  type Place,
  type Polarity,
  pathOf,
  underNot,
  within,
} from "./condition-rows.ts";

/** One relation on the way to an anchor. */
export interface Step {
  readonly hop: Hop;
  /** Comparisons that narrow the rows; null where each row counts, soft-deleted ones too. */
  readonly narrowed: readonly Leaf[] | null;
}

/**
 * Rows that are locked before a write whose condition rests on what is not there. A relation begins at them that other rows could
 * join: `NOT EXISTS (organisation.bans)` and a `has_one`, of which another row may become the first. A row that joins has a
 * foreign key to them, so that whoever brings it waits.
 */
export interface Anchor {
  /** From the row whose rule it is; none is that row itself. */
  readonly steps: readonly Step[];
  /** Relations before it that other rows could join as well: they must be locked first, by a statement of their own. */
  readonly level: number;
}

interface Around extends Place {
  readonly polarity: Polarity;
  /** The ways to the row whose rule it is and to the one at hand. */
  readonly way: Anchor;
}

const known = new WeakMap<
  Condition,
  { readonly model: Model; readonly models: Models; readonly anchors: readonly Anchor[] }
>();

/** The anchors of a condition on a model, none where it rests only on rows that are found. */
export function anchorsOf(condition: Condition, model: Model, models: Models): readonly Anchor[] {
  const remembered = known.get(condition);
  if (remembered?.model === model && remembered.models === models) return remembered.anchors;
  const anchors: Anchor[] = [];
  const itself = { model };
  const way = { steps: [], level: 0 };
  collect(condition, { models, itself, at: itself, depth: 0, polarity: "positive", way }, anchors);
  known.set(condition, { model, models, anchors });
  return anchors;
}

function collect(condition: Condition, around: Around, anchors: Anchor[]): void {
  switch (condition.op) {
    case "and":
    case "or":
      for (const inner of condition.conditions) collect(inner, around, anchors);
      return;
    case "not":
      collect(condition.condition, { ...around, polarity: underNot(around.polarity) }, anchors);
      return;
    case "exists":
      collectExists(condition, around, anchors);
      return;
    default:
      for (const name of fieldsOf(condition)) {
        const { path } = fieldPathOf(name, around);
        follow(path, around, "positive", null, anchors);
      }
  }
}

function collectExists(
  { path, where }: Extract<Condition, { op: "exists" }>,
  around: Around,
  anchors: Anchor[],
): void {
  const polarity = within(around.polarity);
  const found = pathOf(path.split("."), around);
  const way = follow(found, around, polarity, where, anchors);
  if (where === null) return;
  const at = { model: found.end };
  collect(where, { ...around, at, depth: around.depth + 1, polarity, way }, anchors);
}

/** The way to a path's end, on which each row counts that others could join. */
function follow(
  { fromItself, hops }: Path,
  { way }: Around,
  polarity: Polarity,
  where: Condition | null,
  anchors: Anchor[],
): Anchor {
  let { steps, level }: Anchor = fromItself ? { steps: [], level: 0 } : way;
  for (const [index, hop] of hops.entries()) {
    const { kind } = hop.relation;
    const joinable = kind === "has_one" || (kind === "has_many" && polarity === "absent");
    if (joinable) anchors.push({ steps, level: level++ });
    const isLast = index === hops.length - 1;
    const narrowed = joinable || kind === "belongs_to" ? null : isLast ? plainLeaves(where) : [];
    steps = [...steps, { hop, narrowed }];
  }
  return { steps, level };
}

/** The AND-ed comparisons of a row's own columns with what does not change by itself, as times do. */
function plainLeaves(where: Condition | null): Leaf[] {
  if (where === null) return [];
  switch (where.op) {
    case "and":
      return where.conditions.flatMap(plainLeaves);
    case "or":
    case "not":
    case "exists":
      return [];
    default:
      return isPlain(where) ? [where] : [];
  }
}

function isPlain(where: Leaf): boolean {
  const own = typeof where.field === "string" && fieldsOf(where).every((name) => !name.includes("."));
  return own && !valuesOf(where).some(isMoment);
}

function valuesOf(leaf: Leaf): readonly unknown[] {
  if ("values" in leaf) return leaf.values;
  if ("from" in leaf) return [leaf.from, leaf.to];
  return "value" in leaf ? [leaf.value] : [];
}

function isMoment(value: unknown): boolean {
  return typeof value === "object" && value !== null && "placeholder" in value && value.placeholder === "now";
}

import { truth } from "./judge.ts";
import { type RuleCase, wholeRule } from "./random-case.ts";
import type { Row } from "./rows.ts";
import { shapeOf } from "./shapes.ts";
import type { RuleWorld } from "./world.ts";

/** The rows of a case's model that its condition admits, soft-deleted ones too, in the order of their ids. */
export function admittedRows({ shapes, tables }: RuleWorld, one: RuleCase): Row[] {
  const shape = shapeOf(shapes, one.model);
  const asked = { shapes, tables, caller: one.caller, now: Date.now() };
  return (tables[one.model] ?? []).filter((row) => truth(wholeRule(one), shape, row, asked) === true);
}

export function admittedIds(world: RuleWorld, one: RuleCase): string[] {
  return admittedRows(world, one).map(({ id }) => String(id));
}

export const isLive = (row: Row): boolean => (row["deleted_at"] ?? null) === null;

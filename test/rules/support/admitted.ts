import { conditionSql } from "#runtime/data/sql/conditions/condition";
import { columnsOfTable, plan, sql, tableSql } from "#runtime/data/sql/sql";
import type { Condition } from "#vocabulary/conditions/conditions";
import { truth } from "./judge.ts";
import { type RuleCase, wholeRule } from "./random-case.ts";
import type { Row } from "./rows.ts";
import { shapeOf } from "./shapes.ts";
import type { RuleWorld } from "./world.ts";

/** The ids of the rows that PostgreSQL finds by the SQL of a condition, in their order. */
export async function admittedBy(
  { models, database }: RuleWorld,
  { model, caller }: Pick<RuleCase, "model" | "caller">,
  condition: Condition,
): Promise<(string | null | undefined)[]> {
  const described = models.get(model);
  if (described === undefined) throw new Error(`there is no model ${model}`);
  const where = conditionSql(condition, described, models, columnsOfTable(described, "t"));
  const made = plan(
    sql(
      "select ? from ? as t where ? order by 1",
      columnsOfTable(described, "t")("id"),
      tableSql(described),
      where,
    ),
  );
  const found = await database.run({ name: null, text: made.statement.text }, made.bind([], caller));
  return found.map(([id]) => id);
}

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

import type { Database } from "#runtime/core/database/index";
import { conditionSql } from "#runtime/data/sql/conditions/condition-sql";
import { columnsOfTable, plan, sql } from "#runtime/data/sql/sql";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { RuleCase } from "./random-case.ts";
import type { RuleWorld } from "./world.ts";

/** The ids of the rows that PostgreSQL finds by the SQL of a condition, in their order. */
export async function admittedBy(
  { models }: RuleWorld,
  database: Database,
  { model, caller }: Pick<RuleCase, "model" | "caller">,
  condition: Condition,
): Promise<(string | null | undefined)[]> {
  const described = models.get(model);
  if (described === undefined) throw new Error(`there is no model ${model}`);
  const where = conditionSql(condition, described, models, columnsOfTable("t"));
  const made = plan(sql("select t.id from ?? as t where ? order by t.id", model, where));
  const found = await database.run({ name: null, text: made.statement.text }, made.bind([], caller));
  return found.map(([id]) => id);
}

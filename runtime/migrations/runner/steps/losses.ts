import { elementTypeOf } from "../../../../vocabulary/migrations/catalog.ts";
import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { sqlTexts } from "../../../../vocabulary/migrations/sql-migration.ts";
import { losesNothing, sqlStatements } from "../../../../vocabulary/migrations/sql-problems.ts";

/** The data that reverting a migration loses, one line each. */
export function lossesOfDown({ name, down, sql }: Migration): string[] {
  const statements = sqlTexts(sql?.down).flatMap(sqlStatements);
  const unsure = statements.some((statement) => !losesNothing(statement));
  return unsure ? [`${name}: data that its custom SQL removes`] : lossesOf(down);
}

/** The data that steps lose, one line each: rows, values, or values that do not fit another type. */
export function lossesOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    switch (step.step) {
      case "drop_table":
        return [`${step.table}: the table with all of its rows`];
      case "drop_column":
        return [`${step.table}.${step.column}: the column with all of its values`];
      case "set_type":
        return [`${step.table}.${step.column}: ${lossOf(step)}`];
      case "set_id_type":
        return [`${step.table}.id: every row gets a new id`];
      default:
        return [];
    }
  });
}

function lossOf({ type, from }: Extract<Step, { readonly step: "set_type" }>): string {
  const misfits = `values that do not fit into ${type}`;
  const takesFirst = from !== undefined && elementTypeOf(from) !== null && elementTypeOf(type) === null;
  return takesFirst && type !== "jsonb" ? `all but the first element of each list, and ${misfits}` : misfits;
}

import { checkSql } from "../../../../vocabulary/migrations/check-sql.ts";
import type { Check } from "../../../../vocabulary/migrations/migration-steps.ts";
import { doBlock, sqlName, sqlText } from "./quoting.ts";

/**
 * Returns the statement that validates a check for the existing rows. If rows violate the condition of a
 * model, it fails with their number: PostgreSQL itself stops at the first.
 */
export function withViolationCount(table: string, check: Check, statement: string): string {
  if (!("condition" in check)) return statement;
  const broken = `from ${sqlName(table)} where not (${checkSql(check.condition)})`;
  // As texts, in which a name is always that of a column.
  return doBlock(`declare
  number_of_rows bigint;
begin
  execute ${sqlText(statement)};
exception when check_violation then
  execute ${sqlText(`select count(*) ${broken}`)} into number_of_rows;
  if number_of_rows = 0 then
    raise;
  end if;
  raise exception using errcode = 'check_violation', message =
    case number_of_rows when 1 then '1 row breaks' else number_of_rows || ' rows break' end
    || ${sqlText(` the check ${sqlName(check.name)}: SELECT * ${broken}`)};
end`);
}

import type { Scope } from "../access/index.ts";
import { unseenSetting } from "../database/index.ts";
import type { Model } from "../model/index.ts";
import type { Hop, Models } from "./conditions/condition-rows.ts";
import { givenKeys } from "./conditions/given-keys.ts";
import { kinds } from "./kinds.ts";
import { columnsOfTable, every, join, policyValue, type Sql, sql } from "./sql.ts";

export interface Written {
  readonly model: Model;
  readonly models: Models;
  readonly scope: Scope;
  /** Fields that the statement gives values to. */
  readonly fields: readonly string[];
  /** Where all ids stand of the rows that it adds; without it a row may lead to itself alone. */
  readonly added?: Sql;
}

const row = columnsOfTable("t");

/**
 * The id of a row that is written, among what a statement returns. A key by which the scope held because it led to no row must
 * lead to none: the database refuses it, unless its row came to be after the statement began, which then fails as if it had not.
 */
export function writtenId({ model, models, scope, fields, added }: Written): Sql {
  const given = scope.kind === "some" ? givenKeys(scope.when, model, models) : [];
  const checked = given.filter(({ relation }) => fields.includes(relation.field));
  if (checked.length === 0) return row("id");
  const cases = checked.map((hop) =>
    sql(
      `when ? then current_setting(?)::${kinds[model.id].sqlType}`,
      unseenSql(hop, model, added),
      policyValue(unseenSetting + hop.relation.field),
    ),
  );
  return sql("case ? else ? end as ??", join(cases, " "), row("id"), "id");
}

/** The rows that the statement adds are not there yet, and the database finds them. */
function unseenSql({ relation, target }: Hop, model: Model, added: Sql = row("id")): Sql {
  const key = row(relation.field);
  const seen = sql(
    "exists (select from ?? as seen$ where seen$.?? = ?)",
    target.table,
    relation.references,
    key,
  );
  const isAdded = target.key === model.key ? [sql("? not in (?)", key, added)] : [];
  return every([sql("? is not null", key), sql("not ?", seen), ...isAdded]);
}

import { unseenSetting } from "../../core/database/index.ts";
import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import type { Hop, Models } from "./conditions/condition-rows.ts";
import { givenKeys } from "./conditions/given-keys.ts";
import { kinds } from "./kinds.ts";
import { type ColumnSql, columnsOfTable, every, join, policyValue, type Sql, sql } from "./sql.ts";

export interface Written {
  readonly model: Model;
  readonly models: Models;
  readonly scope: Scope;
  /** Fields that the statement gives values to. */
  readonly fields: readonly string[];
  /** Where all ids stand of the rows that it adds; without it a row that is written may lead to itself alone. */
  readonly added?: Sql;
}

const row = columnsOfTable("t");

/**
 * The id of a row that is written, among what a statement returns. A key by which the scope held because it led to no row must
 * lead to none: the database refuses it, unless its row came to be after the statement began, which then fails as if it had not.
 */
export function writtenId({ added = row("id"), ...written }: Written): Sql {
  const { model } = written;
  const cases = keysToSee(written).map((hop) =>
    sql(
      `when ? then current_setting(?)::${kinds[model.id].sqlType}`,
      unseenSql(hop, model, row, added),
      policyValue(unseenSetting + hop.relation.field),
    ),
  );
  return cases.length === 0 ? row("id") : sql("case ? else ? end as ??", join(cases, " "), row("id"), "id");
}

/**
 * The field of a record that is judged by one statement and written by another, whose key leads to no row: one that comes to be
 * between the two would be taken for absent. NULL where there is none.
 */
export function unseenField({ added, ...written }: Written, record: ColumnSql): Sql {
  const cases = keysToSee(written).map((hop) =>
    sql("when ? then ?::text", unseenSql(hop, written.model, record, added), policyValue(hop.relation.field)),
  );
  return cases.length === 0 ? sql("null::text") : sql("case ? end", join(cases, " "));
}

function keysToSee({ model, models, scope, fields }: Omit<Written, "added">): Hop[] {
  const given = scope.kind === "some" ? givenKeys(scope.when, model, models) : [];
  return given.filter(({ relation }) => fields.includes(relation.field));
}

/** The rows that the statement adds are not there yet, and the database finds them. */
function unseenSql({ relation, target }: Hop, model: Model, record: ColumnSql, added?: Sql): Sql {
  const key = record(relation.field);
  const seen = sql(
    "exists (select from ?? as seen$ where seen$.?? = ?)",
    target.table,
    relation.references,
    key,
  );
  const isAdded = target.key === model.key && added !== undefined ? [sql("? not in (?)", key, added)] : [];
  return every([sql("? is not null", key), sql("not ?", seen), ...isAdded]);
}

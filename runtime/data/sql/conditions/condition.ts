import {
  type CallerColumn,
  type Condition,
  comparisonSigns,
  isOtherField,
  type Moment,
  maxPatternLength,
  type Operand,
  timeUnits,
  type Value,
} from "../../../../vocabulary/conditions/conditions.ts";
import { type Model, requireColumn } from "../../../models/index.ts";
import { elementType, type Typed, type TypedColumn, typeOf } from "../column-types.ts";
import {
  type ColumnSql,
  columnsOfTable,
  comparedWith,
  every,
  forShare,
  join,
  nullTestSql,
  policyValue,
  Slot,
  type Sql,
  sql,
  tableSql,
  timeOfStatement,
} from "../sql.ts";
import {
  type ConditionContext,
  fieldPathOf,
  fieldSql,
  fieldsOf,
  firstLockedRow,
  type Hop,
  isFieldName,
  type JoinMode,
  joinedRows,
  type Leaf,
  linkSql,
  liveSql,
  lockedRows,
  lockOf,
  type Models,
  type Path,
  pathOf,
  type RowAt,
  semiJoin,
  startOf,
  type TypedSql,
  typedSql,
  underExists,
  underNot,
} from "./relations.ts";

/**
 * A column of the caller's row in `users`. It does not depend on other rows, so PostgreSQL reads it once.
 * NULL if there is no row.
 */
export function callerColumnSql({ user }: CallerColumn, { models, mode }: ConditionContext): TypedSql {
  const users = models.get("users");
  if (users === undefined) throw new Error("there are no users");
  const id = new Slot({ from: "caller", claim: "user_id", type: users.id, pattern: false });
  const lock = mode === "locked" ? forShare(users) : sql("");
  const column = requireColumn(users, user);
  // The cast makes the query a single value. In the list of IN, a bare query would be a set, and empty
  // without a row.
  const row = columnsOfTable(users, "caller$");
  const text = `(select ? from ? as caller$ where ? = ?::${users.id} ?)::${typeOf(column).sqlType}`;
  return typedSql(sql(text, row(user), tableSql(users), row("id"), id, lock), column);
}

/** The name of a row in the list of locked parent rows. */
export function parentLockName({ model, row }: RowAt): Sql {
  return sql("?::text || ?", policyValue(`${model.key}:`), row("id"));
}

/**
 * Whether a parent row was locked before this statement. If it was added or moved here later, other rows can
 * still join it. Null for the row that the rule applies to, which is locked by itself.
 */
function isParentLockedSql(start: RowAt, { itself }: ConditionContext): Sql | null {
  if (start.row === itself.row) return null;
  return sql("(?) = any(?::text[])", parentLockName(start), new Slot({ from: "parents" }));
}

/**
 * A comparison in a write that forbids the write if one of its paths leads to an invisible row. A statement
 * that waited for a row sees its new key. The key can lead to a row that was added after the statement began:
 * that row is invisible, not absent. This also applies to the first of several rows, if another row can still
 * become the first.
 */
function unlessInvisible(compared: Sql, leaf: Leaf, rows: ConditionContext): Sql {
  const paths = fieldsOf(leaf).map((name) => fieldPathOf(name, rows).path);
  const unsure = paths
    .filter((path) => isUnsure(path, leaf, rows))
    .map((path) => invisibleParent(path, rows));
  if (unsure.length === 0) return compared;
  const unseen = join(unsure, " or ");
  return rows.negated ? sql("(? or ?)", compared, unseen) : sql("(? and not (?))", compared, unseen);
}

/**
 * Whether an invisible row can make the condition true. Otherwise the NULL in its place forbids the write.
 */
export function isUnsure(
  { hops }: Path,
  { op }: Leaf,
  { polarity }: Pick<ConditionContext, "polarity">,
): boolean {
  if (hops.length === 0) return false;
  const asksForNull = op === "is_null" || op === "is_not_null";
  return asksForNull || polarity === "absent" || hops.some(({ relation }) => relation.kind === "has_one");
}

/** Whether a key on a path leads to a row that the statement cannot see. Never NULL. */
function invisibleParent(path: Path, rows: ConditionContext): Sql {
  const lock = lockOf(path, rows);
  const from = (start: RowAt, index: number): Sql => {
    const hop = path.hops[index];
    if (hop === undefined) return sql("false");
    const alias = `sight${rows.depth}${index}$`;
    const rest = from({ model: hop.target, row: columnsOfTable(hop.target, alias) }, index + 1);
    const key = start.row(hop.relation.field);
    if (hop.relation.kind !== "has_one")
      return beyondParent(hop, key, { alias, rest, lock, unseen: unseenSql(start, key, rows) });
    const beyond = sql("coalesce((select ? from (?) as ??), false)", rest, firstLockedRow(hop, key), alias);
    return join([beyond, ...unlockedParentSql(start, rows)], " or ");
  };
  return sql("(?)", from(startOf(path, rows), 0));
}

interface Beyond {
  readonly alias: string;
  /** Whether a row after this one is invisible. */
  readonly rest: Sql;
  readonly lock: Sql;
  readonly unseen: Sql;
}

/** A soft-deleted row is visible, but paths end there. */
function beyondParent(hop: Hop, key: Sql, { alias, rest, lock, unseen }: Beyond): Sql {
  const [live = sql("true")] = liveSql(hop, alias);
  return sql(
    "coalesce((select ? and (?) from ? as ?? where ? ?), ?)",
    live,
    rest,
    tableSql(hop.target),
    alias,
    linkSql(hop, alias, key),
    lock,
    unseen,
  );
}

/** Whether a key must lead to a row although none was found. Keys of a new record can lead to no row. */
function unseenSql(start: RowAt, key: Sql, { itself }: ConditionContext): Sql {
  return itself.given && start.row === itself.row ? sql("false") : sql("? is not null", key);
}

/** Whether other rows can still join the relation of a row; empty if they cannot. */
function unlockedParentSql(start: RowAt, rows: ConditionContext): Sql[] {
  const locked = isParentLockedSql(start, rows);
  return locked === null ? [] : [sql("not coalesce(?, false)", locked)];
}

/** The condition for rows at the end of a path. */
type EndCondition = (found: ConditionContext) => Sql;

/** Whether a path leads to a live row that fulfils a condition. */
function existsSql(path: string, rows: ConditionContext, condition: EndCondition): Sql {
  const found = pathOf(path.split("."), rows);
  const { hops, end } = found;
  const start = startOf(found, rows);
  const inside = (row: RowAt["row"]): ConditionContext => ({
    ...rows,
    at: { model: end, row },
    depth: rows.depth + 1,
    // For reading it is enough that EXISTS is never unknown.
    polarity: rows.mode === "read" ? "positive" : underExists(rows.polarity),
  });
  if (rows.mode === "locked") return lockedExists(hops, start, rows, (row) => condition(inside(row)));
  const { from, where, last } = joinedRows(hops, start, `found${rows.depth}`);
  return sql("exists (select from ? where ?)", from, every([...where, condition(inside(last))]));
}

/**
 * Nests one EXISTS per relation. After waiting for a row, PostgreSQL reads it and all inner rows again. If a
 * project was moved in that time, it leads to the members of its new organisation.
 */
function lockedExists(
  hops: readonly Hop[],
  start: RowAt,
  rows: ConditionContext,
  condition: (row: RowAt["row"]) => Sql,
  index = 0,
): Sql {
  const hop = hops[index];
  if (hop === undefined) return condition(start.row);
  const alias = `found${rows.depth}${index}$`;
  const row = columnsOfTable(hop.target, alias);
  const key = start.row(hop.relation.field);
  const rest = lockedExists(hops, { model: hop.target, row }, rows, condition, index + 1);
  const live = liveSql(hop, alias);
  if (hop.relation.kind === "has_one") {
    const found = sql("exists (select from (?) as ?? where ?)", firstLockedRow(hop, key), alias, rest);
    return unlessJoinable(found, unlockedParentSql(start, rows), rows);
  }
  if (rows.polarity === "positive") {
    const where = every([linkSql(hop, alias, key), ...live, rest]);
    return sql(
      "exists (select from ? as ?? where ? ?)",
      tableSql(hop.target),
      alias,
      where,
      forShare(hop.target),
    );
  }
  const locked = lockedRows(hop, key);
  const fulfils = every([...live, rest]);
  if (hop.relation.kind === "belongs_to" && rows.negated)
    return sql(
      "coalesce((select coalesce(?, false) from (?) as ??), ?)",
      fulfils,
      locked,
      alias,
      unseenSql(start, key, rows),
    );
  const found = sql("exists (select from (?) as ?? where ?)", locked, alias, fulfils);
  return rows.negated ? unlessJoinable(found, unlockedParentSql(start, rows), rows) : found;
}

/** If other rows can still join, the result forbids the write. */
function unlessJoinable(found: Sql, [unsure]: readonly Sql[], { negated }: ConditionContext): Sql {
  if (unsure === undefined) return found;
  return negated ? sql("(? or ?)", found, unsure) : sql("(? and not ?)", found, unsure);
}

function operandSql(operand: Operand, type: Typed, rows: ConditionContext, pattern = false): Sql {
  return isOtherField(operand) ? fieldSql(operand.field, rows).sql : valueSql(operand, type, rows, pattern);
}

/** In a pattern of the policy, `%` and `_` are wildcards. Those of a caller's claim or column are literal. */
export function valueSql(value: Value, type: Typed, rows: ConditionContext, pattern = false): Sql {
  const cast = typeOf(type).sqlType;
  if (typeof value !== "object") {
    const text = pattern ? String(value).replaceAll("\\", "\\\\") : value;
    return sql(`?::${cast}`, policyValue(text));
  }
  if ("user" in value) {
    const { sql: column } = callerColumnSql(value, rows);
    return pattern ? literalSql(column) : column;
  }
  if (value.placeholder === "now") return sql(`(?)::${cast}`, momentSql(value));
  return sql(`?::${cast}`, new Slot({ from: "caller", claim: value.placeholder, type, pattern }));
}

/** A text as a literal pattern. A text longer than the limit for patterns is NULL, as for claims. */
function literalSql(text: Sql): Sql {
  const escaped = String.raw`regexp_replace(text$, '([\\%_])', '\\\1', 'g')`;
  const pattern = `(select ${escaped} from (select ? as text$) as pattern$ where char_length(text$) <= ${maxPatternLength})`;
  return sql(pattern, text);
}

function momentSql({ offset }: Moment): Sql {
  if (offset === undefined) return timeOfStatement;
  const seconds = offset.amount * timeUnits[offset.unit];
  return sql("? + ?::double precision * interval '1 second'", timeOfStatement, policyValue(seconds));
}

// A GIN index supports `@>` and `&&` if the plain column is on the left.

/** Whether a list has a value; unknown if the value is NULL, for which `@>` would be false. */
function containsSql(list: TypedSql, value: Value, rows: ConditionContext): Sql {
  const element = elementType(list);
  const one = valueSql(value, element, rows);
  if (typeof value !== "object") return sql(`? @> array[?]::${typeOf(list).sqlType}`, list.sql, one);
  const common = commonType(element, value, rows);
  const type = common === null ? typeOf(list).sqlType : `${common}[]`;
  const locked = common === null ? list.sql : sql(`?::${type}`, list.sql);
  return sql(`? @> nullif(array[?]::${type}, array[null]::${type})`, locked, one);
}

/**
 * Whether a list contains one of the values. As for IN, it is unknown if a value is NULL and no other value
 * is in the list.
 */
function overlapsSql(list: TypedSql, values: readonly Value[], rows: ConditionContext): Sql {
  const element = elementType(list);
  const literals = values.filter((value) => typeof value !== "object");
  const known = join(
    literals.map((value) => valueSql(value, element, rows)),
    ", ",
  );
  const overlap = sql(`? && array[?]::${typeOf(list).sqlType}`, list.sql, known);
  const others = values
    .filter((value) => typeof value === "object")
    .map((value) => sql("(?)", containsSql(list, value, rows)));
  return join([...(literals.length === 0 ? [] : [overlap]), ...others], " or ");
}

/**
 * The common type of both sides if a column of the caller is a number of another type. As the type of the
 * elements, it would be rounded.
 */
function commonType(element: TypedColumn, value: object, rows: ConditionContext): string | null {
  if (!("user" in value) || typeof value.user !== "string") return null;
  const types = [element, callerColumnSql({ user: value.user }, rows)].map((each) => typeOf(each).sqlType);
  if (types[0] === types[1]) return null;
  return types.includes("double precision") ? "double precision" : "numeric";
}

/** A row condition as SQL for the given row. */
export function conditionSql(
  condition: Condition,
  model: Model,
  models: Models,
  row: ColumnSql,
  mode: JoinMode = "read",
  given = false,
): Sql {
  const itself = { model, row, given };
  const outermost = { depth: 0, polarity: "positive", negated: false } as const;
  return treeSql(condition, { models, mode, itself, at: itself, ...outermost });
}

/** A piece of a condition as SQL. */
export function treeSql(condition: Condition, rows: ConditionContext): Sql {
  const nested = (inner: Condition) => sql("(?)", treeSql(inner, rows));
  switch (condition.op) {
    case "and":
    case "or":
      return join(condition.conditions.map(nested), ` ${condition.op} `);
    case "not": {
      const opposite = { polarity: underNot(rows.polarity), negated: !rows.negated };
      return sql("not (?)", treeSql(condition.condition, { ...rows, ...opposite }));
    }
    case "exists": {
      const { path, where } = condition;
      return existsSql(path, rows, (found) => (where === null ? sql("true") : treeSql(where, found)));
    }
    default:
      return rows.mode === "read"
        ? leafSql(condition, rows)
        : unlessInvisible(leafSql(condition, rows), condition, rows);
  }
}

function leafSql(leaf: Leaf, rows: ConditionContext): Sql {
  const compared = (subject: TypedSql) => comparisonSql(leaf, subject, rows);
  if (!isFieldName(leaf.field)) return compared(callerColumnSql(leaf.field, rows));
  const form = leaf.op === "is_null" || leaf.op === "is_not_null" ? "stored" : undefined;
  return semiJoin(leaf, rows, compared) ?? compared(fieldSql(leaf.field, rows, form));
}

function comparisonSql(leaf: Leaf, found: TypedSql, rows: ConditionContext): Sql {
  const { sql: subject, type } = comparedWith(leaf.op, found.sql, found);
  switch (leaf.op) {
    case "is_null":
    case "is_not_null":
      return nullTestSql(leaf.op, found.sql, found);
    case "in":
    case "not_in": {
      const values = leaf.values.map((value) => valueSql(value, type, rows));
      return sql(`? ${leaf.op === "in" ? "in" : "not in"} (?)`, subject, join(values, ", "));
    }
    case "between": {
      const { from, to } = leaf;
      return sql("? between ? and ?", subject, valueSql(from, type, rows), valueSql(to, type, rows));
    }
    case "contains":
      return containsSql(found, leaf.value, rows);
    case "overlaps":
      return overlapsSql(found, leaf.values, rows);
    case "like":
    case "ilike":
      return sql(`? ${comparisonSigns[leaf.op]} ?`, subject, operandSql(leaf.value, type, rows, true));
    default:
      return sql(`? ${comparisonSigns[leaf.op]} ?`, subject, operandSql(leaf.value, type, rows));
  }
}

import { expanded, type WrittenCondition } from "#generator/definition/written-condition";
import { conditionText, operandText } from "#generator/emit/views/condition-view";
import type { Queryable } from "#runtime/core/database/index";
import {
  type BindValue,
  bareColumns,
  type ConditionContext,
  callerColumnSql,
  columnsOfTable,
  elementType,
  every,
  fieldPathOf,
  fieldSql,
  idValues,
  isFieldName,
  join,
  joinedRows,
  type Leaf,
  type Models,
  pathOf,
  plan,
  policyValue,
  type Sql,
  sql,
  startOf,
  type TypedSql,
  tableSql,
  treeSql,
  typeOf,
  valueSql,
} from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import { isOtherField, type Operand } from "#vocabulary/conditions/conditions";
import type { Json } from "#vocabulary/json";

/** Most rows of an EXISTS that are evaluated part by part. */
export const mostRejected = 20;

/** Whether the value of a field can be shown. */
export type Shows = (model: string, field: string) => boolean;

/** Where conditions are evaluated. */
export interface Evaluation {
  readonly connection: Queryable;
  readonly models: Models;
  /** Default: every value. */
  readonly shows?: Shows;
}

/** The truth of a condition in SQL; null is unknown. */
export type Truth = boolean | null;

/** A compared value. `value` is absent if it must not be shown. */
export interface ComparedValue {
  readonly name: string;
  readonly value?: Json;
}

/** A condition, or a part of it, as PostgreSQL evaluated it for one row. */
export interface EvaluatedPart {
  /** In the language of the models file. */
  readonly text: string;
  readonly op: WrittenCondition["op"];
  readonly truth: Truth;
  readonly values: readonly ComparedValue[];
  /** Of AND, OR and NOT, and the meaning of a call. */
  readonly parts: readonly EvaluatedPart[];
  /** Only for EXISTS: the rows at the end of its path. */
  readonly rows?: ReachedRows;
}

/** The rows at the end of the path of an EXISTS. */
export interface ReachedRows {
  readonly total: number;
  readonly matched: number;
  /** The first rejected rows by id, at most `mostRejected`. */
  readonly rejected: readonly { readonly id: string; readonly part: EvaluatedPart }[];
}

/** A row with an evaluated part for each condition. */
export interface EvaluatedRow {
  readonly id: string | null;
  readonly parts: readonly EvaluatedPart[];
}

/** The rows to evaluate: existing ones, or a state that a write would make of them. */
export interface RowsToEvaluate {
  readonly model: Model;
  readonly from: Sql;
  readonly where: Sql;
  /** The columns of a row. */
  readonly row: ConditionContext["at"]["row"];
  /** The id of a row, as text. */
  readonly id: Sql;
  readonly values: readonly BindValue[];
}

/** The existing rows with these ids, soft-deleted ones too. */
export function existingRows(model: Model, ids: readonly string[]): RowsToEvaluate {
  const row = columnsOfTable(model, "t");
  return {
    model,
    from: sql("? as t", tableSql(model)),
    where: sql("? = any(?)", row("id"), idValues(0, model)),
    row,
    id: sql("?::text", row("id")),
    values: [ids],
  };
}

/** Evaluates each part of some conditions for some rows and a caller, in one statement. Rows are ordered by id. */
export async function evaluateParts(
  { connection, models, shows = () => true }: Evaluation,
  rows: RowsToEvaluate,
  conditions: readonly WrittenCondition[],
  caller: Principal,
): Promise<EvaluatedRow[]> {
  const itself = { model: rows.model, row: rows.row, given: false };
  // In a place where absence matters, a comparison over a path is unknown, not false, without a row.
  const outermost = { depth: 0, polarity: "absent", negated: false } as const;
  const place: ConditionContext = { models, mode: "read", itself, at: itself, ...outermost };
  const piece = sql(
    "select ?, ? from ? where ? order by 1",
    rows.id,
    list(conditions.map((condition) => partSql(condition, place, shows))),
    rows.from,
    rows.where,
  );
  const { statement, bind } = plan(piece);
  const found = await connection.run({ name: null, text: statement.text }, bind(rows.values, caller));
  return found.map(([id = null, parts]) => ({ id, parts: JSON.parse(parts ?? "[]") }));
}

/** The JSON of an `EvaluatedPart` of a row. */
function partSql(condition: WrittenCondition, rows: ConditionContext, shows: Shows): Sql {
  const partsOf = (inner: readonly WrittenCondition[]) =>
    partJson(
      condition,
      rows,
      [],
      inner.map((part) => partSql(part, rows, shows)),
    );
  switch (condition.op) {
    case "and":
    case "or":
      return partsOf(condition.conditions);
    case "not":
      return partsOf([condition.condition]);
    case "call":
      return partsOf([condition.means]);
    case "exists":
      return existsSql(condition, rows, shows);
    default:
      return partJson(condition, rows, comparedIn(condition, rows, shows).map(comparedJson), []);
  }
}

function partJson(
  condition: WrittenCondition,
  rows: ConditionContext,
  values: readonly Sql[],
  parts: readonly Sql[],
): Sql {
  return sql(
    "jsonb_build_object('text', ?::text, 'op', ?::text, 'truth', ?, 'values', ?, 'parts', ?)",
    policyValue(conditionText(condition)),
    policyValue(condition.op),
    treeSql(expanded(condition), rows),
    list(values),
    list(parts),
  );
}

/** A function call takes at most 100 arguments, so it is an array of JSON. */
function list(pieces: readonly Sql[]): Sql {
  return sql("to_jsonb(array[?]::jsonb[])", join(pieces, ", "));
}

/** Counts the rows at the end of the path, and evaluates the first ones that the inner condition rejects. */
function existsSql(
  condition: Extract<WrittenCondition, { op: "exists" }>,
  rows: ConditionContext,
  shows: Shows,
): Sql {
  const { path, where } = condition;
  const found = pathOf(path.split("."), rows);
  const { from, where: links, last } = joinedRows(found.hops, startOf(found, rows), `found${rows.depth}`);
  const within = (row: ConditionContext["at"]["row"]): ConditionContext => ({
    ...rows,
    at: { model: found.end, row },
    depth: rows.depth + 1,
  });
  const held = `held${rows.depth}$`;
  const heldRow = columnsOfTable(found.end, held);
  return sql(
    `(select ? || jsonb_build_object('rows', jsonb_build_object(
        'total', coalesce(max(total$), 0), 'matched', coalesce(max(matched$), 0), 'rejected', coalesce(
          jsonb_agg(jsonb_build_object('id', ?::text, 'part', ?) order by place$)
          filter (where not met$ and place$ <= ${mostRejected}), '[]')))
      from (select *, count(*) over () as total$, count(*) filter (where met$) over () as matched$,
          row_number() over (partition by met$ order by ?) as place$
        from (select ??.*, coalesce(?, false) as met$ from ? where ?) as judged$) as ??)`,
    partJson(condition, rows, [], []),
    heldRow("id"),
    where === null ? sql("null") : partSql(where, within(heldRow), shows),
    bareColumns(found.end)("id"),
    `found${rows.depth}${found.hops.length - 1}$`,
    where === null ? sql("true") : treeSql(expanded(where), within(last)),
    from,
    every(links),
    held,
  );
}

/** A value that a comparison compares. Null if its value is not shown. */
interface Compared {
  readonly name: string;
  readonly value: TypedSql | null;
}

function comparedJson({ name, value }: Compared): Sql {
  const named = sql("'name', ?::text", policyValue(name));
  if (value === null) return sql("jsonb_build_object(?)", named);
  return sql("jsonb_build_object(?, 'value', ?)", named, sql(typeOf(value).jsonSql, value.sql));
}

function comparedIn(leaf: Leaf, rows: ConditionContext, shows: Shows): Compared[] {
  const field = (name: string): Compared => {
    const { path, column } = fieldPathOf(name, rows);
    return { name, value: shows(path.end.key, column) ? fieldSql(name, rows) : null };
  };
  const column = (user: string): Compared => {
    const name = operandText({ user });
    return { name, value: shows("users", user) ? callerColumnSql({ user }, rows) : null };
  };
  const { field: subject } = leaf;
  const left = isFieldName(subject) ? field(subject) : column(subject.user);
  const element = elementType(
    isFieldName(subject) ? fieldSql(subject, rows) : callerColumnSql(subject, rows),
  );
  const right = operandsOf(leaf).flatMap((operand): Compared[] => {
    if (isOtherField(operand)) return [field(operand.field)];
    if (typeof operand !== "object") return [];
    if ("user" in operand) return [column(operand.user)];
    return [{ name: operandText(operand), value: { sql: valueSql(operand, element, rows), ...element } }];
  });
  return [...new Map([left, ...right].map((each) => [each.name, each])).values()];
}

function operandsOf(leaf: Leaf): readonly Operand[] {
  if ("values" in leaf) return leaf.values;
  if ("from" in leaf) return [leaf.from, leaf.to];
  return "value" in leaf ? [leaf.value] : [];
}

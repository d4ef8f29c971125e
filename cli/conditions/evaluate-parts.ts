import type { WrittenCondition } from "#generator/definition/written-condition";
import { conditionText } from "#generator/emit/views/condition-view";
import type { Queryable } from "#runtime/core/database/index";
import {
  type BindValue,
  type ConditionContext,
  columnsOfTable,
  idList,
  type Models,
  plan,
  type Sql,
  sql,
  tableSql,
} from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import type { Json } from "#vocabulary/json";
import { comparedNames, contextWithin, partsSql, type Shows } from "./part-sql.ts";

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
    where: sql("? = any(?)", row("id"), idList(0, model)),
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
    partsSql(conditions, place, shows),
    rows.from,
    rows.where,
  );
  const { statement, bind } = plan(piece);
  const found = await connection.run({ name: null, text: statement.text }, bind(rows.values, caller));
  return found.map(([id = null, parts]) => {
    const [...read]: RawPart[] = JSON.parse(parts ?? "[]");
    return { id, parts: read.map((raw, index) => partOf(at(conditions, index), raw, place, shows)) };
  });
}

/** `[truth, values, parts]`, or `[truth, total, matched, rejected]` for EXISTS. */
type RawPart =
  | readonly [truth: Truth, values: readonly Json[], parts: readonly RawPart[]]
  | readonly [
      truth: Truth,
      total: number,
      matched: number,
      rejected: readonly (readonly [string, RawPart])[],
    ];

function partOf(
  condition: WrittenCondition,
  raw: RawPart,
  rows: ConditionContext,
  shows: Shows,
): EvaluatedPart {
  const found = { text: conditionText(condition), op: condition.op, truth: raw[0], values: [], parts: [] };
  if (raw.length === 4) {
    const [, total, matched, rejected] = raw;
    const { path, where } = condition.op === "exists" ? condition : { path: "", where: null };
    if (where === null) return { ...found, rows: { total, matched, rejected: [] } };
    const inside = contextWithin(path, rows);
    const judged = rejected.map(([id, part]) => ({ id, part: partOf(where, part, inside, shows) }));
    return { ...found, rows: { total, matched, rejected: judged } };
  }
  const [, values, parts] = raw;
  switch (condition.op) {
    case "and":
    case "or":
    case "not":
    case "call": {
      const inner = partsIn(condition);
      return { ...found, parts: parts.map((part, index) => partOf(at(inner, index), part, rows, shows)) };
    }
    case "exists":
      return found;
    default:
      return { ...found, values: namedValues(comparedNames(condition, rows, shows), values) };
  }
}

function partsIn(
  condition: Extract<WrittenCondition, { op: "and" | "or" | "not" | "call" }>,
): readonly WrittenCondition[] {
  if (condition.op === "not") return [condition.condition];
  return condition.op === "call" ? [condition.means] : condition.conditions;
}

function namedValues(names: ReturnType<typeof comparedNames>, values: readonly Json[]): ComparedValue[] {
  const rest = [...values];
  return names.map(({ name, shown }) => (shown ? { name, value: rest.shift() ?? null } : { name }));
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error("an evaluated condition has more parts than the condition");
  return item;
}

import { expanded, type WrittenCondition } from "#generator/definition/written-condition";
import { operandText } from "#generator/emit/views/condition-view";
import {
  bareColumns,
  type ConditionContext,
  callerColumnSql,
  columnsOfTable,
  elementType,
  every,
  fieldPathOf,
  fieldSql,
  isFieldName,
  join,
  joinedRows,
  type Leaf,
  pathOf,
  type Sql,
  sql,
  startOf,
  type TypedSql,
  treeSql,
  typeOf,
  valueSql,
} from "#runtime/data/sql/index";
import { isOtherField, type Operand } from "#vocabulary/conditions/conditions";

/** Most rows of an EXISTS that are evaluated part by part. */
export const mostRejected = 20;

/** Whether the value of a field can be shown. */
export type Shows = (model: string, field: string) => boolean;

/** A value that a comparison compares. Null if its value is not shown. */
interface Compared {
  readonly name: string;
  readonly value: TypedSql | null;
}

/**
 * The JSON of a condition and its parts for a row: `[truth, values, parts]`. For EXISTS `[truth, total, matched, rejected]`, where a
 * rejected row is `[id, part]`. The truth is NULL if it is unknown.
 */
export function partSql(condition: WrittenCondition, rows: ConditionContext, shows: Shows): Sql {
  const truth = sql("to_jsonb(?)", treeSql(expanded(condition), rows));
  switch (condition.op) {
    case "and":
    case "or":
      return node(truth, [], partsSql(condition.conditions, rows, shows));
    case "not":
      return node(truth, [], partsSql([condition.condition], rows, shows));
    case "call":
      return node(truth, [], partsSql([condition.means], rows, shows));
    case "exists":
      return existsPartSql(condition, truth, rows, shows);
    default:
      return node(
        truth,
        comparedIn(condition, rows, shows).flatMap(({ value }) => (value === null ? [] : [jsonOf(value)])),
        list([]),
      );
  }
}

/** The parts of several conditions as one JSON array. */
export function partsSql(conditions: readonly WrittenCondition[], rows: ConditionContext, shows: Shows): Sql {
  return list(conditions.map((each) => partSql(each, rows, shows)));
}

/** The names of the values that a comparison compares, in the order of the JSON. `shown`: the JSON has a value. */
export function comparedNames(
  leaf: Leaf,
  rows: ConditionContext,
  shows: Shows,
): readonly { readonly name: string; readonly shown: boolean }[] {
  return comparedIn(leaf, rows, shows).map(({ name, value }) => ({ name, shown: value !== null }));
}

/** The context of the rows at the end of the path of an EXISTS. */
export function contextWithin(path: string, rows: ConditionContext): ConditionContext {
  const { end } = pathOf(path.split("."), rows);
  return { ...rows, at: { model: end, row: columnsOfTable(end, heldAlias(rows)) }, depth: rows.depth + 1 };
}

const heldAlias = ({ depth }: ConditionContext) => `held${depth}$`;

function node(truth: Sql, values: readonly Sql[], parts: Sql): Sql {
  return sql("jsonb_build_array(?, ?, ?)", truth, list(values), parts);
}

/** A function call takes at most 100 arguments, so it is an array of JSON. */
function list(pieces: readonly Sql[]): Sql {
  return sql("to_jsonb(array[?]::jsonb[])", join(pieces, ", "));
}

function jsonOf(value: TypedSql): Sql {
  return sql("to_jsonb(?)", sql(typeOf(value).jsonSql, value.sql));
}

/** Counts the rows at the end of the path, and evaluates the first ones that the inner condition rejects. */
function existsPartSql(
  { path, where }: Extract<WrittenCondition, { op: "exists" }>,
  truth: Sql,
  rows: ConditionContext,
  shows: Shows,
): Sql {
  const found = pathOf(path.split("."), rows);
  const prefix = `found${rows.depth}`;
  const { from, where: links, last } = joinedRows(found.hops, startOf(found, rows), prefix);
  const at = { model: found.end, row: last };
  const inside: ConditionContext = { ...rows, at, depth: rows.depth + 1 };
  const matches = where === null ? sql("true") : treeSql(expanded(where), inside);
  const reason = where === null ? list([]) : partSql(where, contextWithin(path, rows), shows);
  return sql(
    `(select jsonb_build_array(?, coalesce(max(total$), 0), coalesce(max(matched$), 0), coalesce(jsonb_agg(
        jsonb_build_array(?::text, ?) order by place$) filter (where not met$ and place$ <= ${mostRejected}), '[]'))
      from (select *, count(*) over () as total$, count(*) filter (where met$) over () as matched$,
          row_number() over (partition by met$ order by ?) as place$
        from (select ??.*, coalesce(?, false) as met$ from ? where ?) as judged$) as ??)`,
    truth,
    columnsOfTable(found.end, heldAlias(rows))("id"),
    reason,
    bareColumns(found.end)("id"),
    `${prefix}${found.hops.length - 1}$`,
    matches,
    from,
    every(links),
    heldAlias(rows),
  );
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

import type { Queryable } from "#runtime/core/database/index";
import {
  type BindValue,
  every,
  join,
  plan,
  requestValue,
  scopeSql,
  sql,
  typeOf,
} from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import { type Condition, maxPatternLength, timeUnits, type Value } from "#vocabulary/conditions/conditions";
import type { Json } from "#vocabulary/json";
import { candidatesFor, type Mentioned } from "./candidate-values.ts";
import { Impossible } from "./choices.ts";
import type { Cell, CellCondition, CellGroup, RowPlan } from "./row-plan.ts";
import type { WitnessWorld } from "./witness.ts";

/** Conditions that share open cells, so that one query finds their values. */
interface Component {
  readonly groups: Set<CellGroup>;
  readonly conditions: CellCondition[];
}

/** What a search for values needs. */
export interface Search {
  readonly connection: Queryable;
  readonly world: WitnessWorld;
  readonly plan: RowPlan;
  readonly caller: Principal;
}

/**
 * Gives the cells of all conditions values for which the conditions hold. PostgreSQL finds them among candidates.
 * Throws `Impossible`.
 */
export async function solveValues(search: Search): Promise<void> {
  for (const component of componentsOf(search.plan)) {
    const candidates = candidatesOf(component, search);
    const values = await foundValues(candidates, component.conditions, search);
    if (values === null) throw await conflictOf(component, candidates, search);
    for (const [index, group] of [...candidates.keys()].entries()) group.value = values[index] ?? null;
  }
}

function componentsOf({ conditions, cells }: RowPlan): Component[] {
  const components: Component[] = [];
  for (const condition of conditions) {
    const groups = new Set(cellsIn(condition.condition, cells).map(({ group }) => group));
    const joined = components.filter((one) =>
      [...one.groups].some((group) => isOpen(group) && groups.has(group)),
    );
    const rest = components.filter((one) => !joined.includes(one));
    const all = {
      groups: new Set([...joined.flatMap((one) => [...one.groups]), ...groups]),
      conditions: [...joined.flatMap((one) => one.conditions), condition],
    };
    components.splice(0, components.length, ...rest, all);
  }
  return components;
}

const isOpen = ({ value }: CellGroup) => value === undefined;

function cellsIn(condition: Condition, cells: ReadonlyMap<string, Cell>): Cell[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap((part) => cellsIn(part, cells));
    case "not":
      return cellsIn(condition.condition, cells);
    case "exists":
      return [];
    default: {
      const other = "value" in condition && typeof condition.value === "object" ? condition.value : {};
      const names = [condition.field, "field" in other ? other.field : null];
      return names.flatMap((name) => (typeof name === "string" ? (cells.get(name) ?? []) : []));
    }
  }
}

/** More combinations take PostgreSQL too long. */
const mostCombinations = 40_000;

type Candidates = ReadonlyMap<CellGroup, readonly (string | null)[]>;

function candidatesOf({ groups, conditions }: Component, { world, caller }: Search): Candidates {
  const open = [...groups].filter(isOpen);
  const most = Math.max(3, Math.floor(mostCombinations ** (1 / Math.max(1, open.length))));
  const enums = [...groups].flatMap(({ cells }) => cells.flatMap(({ field }) => field?.enum ?? []));
  const mentioned = mentionedIn(conditions, caller, enums);
  return new Map(
    [...groups].map((group) => {
      if (group.value !== undefined) return [group, [group.value]];
      const [cell] = group.cells;
      const values = cell === undefined ? [] : candidatesFor(cell, mentioned, world);
      const nulls = group.cells.every(({ nullable }) => nullable) ? [null] : [];
      const isFree = !conditions.some(({ check, condition }) => check === null && names(condition, group));
      const all = isFree ? [...nulls, ...values] : [...values.slice(0, most - 1), ...nulls];
      return [group, all.slice(0, most)];
    }),
  );
}

function names(condition: Condition, { cells }: CellGroup): boolean {
  return cellsIn(condition, new Map(cells.map((cell) => [cell.name, cell]))).length > 0;
}

function mentionedIn(
  conditions: readonly CellCondition[],
  caller: Principal,
  known: readonly Json[],
): Mentioned {
  const literals: Json[] = [...known];
  const offsets: number[] = [];
  const patterns: string[] = [];
  const value = (each: Value) => {
    if (typeof each !== "object") literals.push(each);
    else if ("placeholder" in each) {
      if (each.placeholder !== "now") literals.push(caller[each.placeholder] ?? "");
      else offsets.push(each.offset === undefined ? 0 : each.offset.amount * timeUnits[each.offset.unit]);
    }
  };
  const look = (condition: Condition): void => {
    if ("conditions" in condition) condition.conditions.forEach(look);
    else if (condition.op === "not") look(condition.condition);
    else if ("values" in condition) condition.values.forEach(value);
    else if (condition.op === "between") [condition.from, condition.to].forEach(value);
    else if ("value" in condition && !(typeof condition.value === "object" && "field" in condition.value)) {
      if (condition.op === "like" || condition.op === "ilike")
        patterns.push(patternOf(condition.value, caller));
      else value(condition.value);
    }
  };
  for (const { condition } of conditions) look(condition);
  return { literals, offsets, patterns };
}

/** A pattern whose wildcards are those of a policy. */
function patternOf(value: Value, caller: Principal): string {
  if (typeof value !== "object") return String(value).replaceAll("\\", "\\\\").slice(0, maxPatternLength);
  const claim = "placeholder" in value && value.placeholder !== "now" ? caller[value.placeholder] : null;
  return (claim ?? "").replaceAll(/[\\%_]/g, "\\$&");
}

/** Values for which the conditions hold, in the order of the candidates. Null if no combination fulfils them. */
async function foundValues(
  candidates: Candidates,
  conditions: readonly CellCondition[],
  { connection, plan: { cells }, world, caller }: Search,
): Promise<readonly (string | null)[] | null> {
  const bound: BindValue[] = [];
  const aliases = new Map([...candidates.keys()].map((group, index) => [group, `v${index}`]));
  const tables = [...candidates].map(([group, values]) => {
    const alias = aliases.get(group) ?? "";
    const type = group.cells[0] ?? "text";
    if (values.length === 0)
      return sql(`(select 0, null::${typeOf(type).sqlType} limit 0) as ??(n, v)`, alias);
    const rows = values.map((value, order) =>
      sql(`(${order}, ?)`, requestValue(bound.push(value) - 1, type)),
    );
    return sql("(values ?) as ??(n, v)", join(rows, ", "), alias);
  });
  const row = (name: string) => {
    const group = cells.get(name)?.group;
    return sql("??.v", (group && aliases.get(group)) ?? "");
  };
  const model = modelOfCells(cells);
  const where = conditions.map(({ condition, check }) => {
    const piece = every(scopeSql({ kind: "some", when: condition }, model, world.models, row, "read"));
    return check === null ? piece : sql("(?) is not false", piece);
  });
  const texts = [...aliases.values()].map((alias) => `${alias}.v::text`).join(", ");
  const order = [...aliases.values()].map((alias) => `${alias}.n`).join(" + ") || "1";
  const from = tables.length === 0 ? sql(" ") : sql("from ?", join(tables, ", "));
  const query = sql(
    `select jsonb_build_array(${texts}) ? where ? order by ${order} limit 1`,
    from,
    every(where),
  );
  const { statement, bind } = plan(query);
  const [[text = null] = []] = await connection.run(
    { name: null, text: statement.text },
    bind(bound, caller),
  );
  return text === null ? null : JSON.parse(text);
}

/** Cells as the fields of one model. */
function modelOfCells(cells: ReadonlyMap<string, Cell>): Model {
  const fields = Object.fromEntries(
    [...cells].map(([name, { kind, dbType }]) => [name, { kind, ...(dbType !== null && { dbType }) }]),
  );
  const none = { relations: {}, uniqueKeys: [], foreignKeys: [], softDelete: false, maxLimit: 1 };
  const key = "cells";
  return { key, typeName: key, table: key, slug: key, id: "bigint", fields, ...none };
}

/** Names the check without which values exist, or the conditions that no values fulfil. */
async function conflictOf(
  { groups, conditions }: Component,
  candidates: Candidates,
  search: Search,
): Promise<Impossible> {
  for (const dropped of conditions.filter(({ check }) => check !== null)) {
    const others = conditions.filter((condition) => condition !== dropped);
    if ((await foundValues(candidates, others, search)) !== null)
      return new Impossible(`conflicts with the check ${dropped.check}`);
  }
  const closed = [...groups].flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell.setByServer ? cell.column : [])),
  );
  if (closed.length > 0) return new Impossible(`the caller cannot write ${[...new Set(closed)].join(", ")}`);
  return new Impossible(
    `found no values for ${[...new Set(conditions.map(({ text }) => text))].join(" AND ")}`,
  );
}

import type { Queryable } from "#runtime/core/database/index";
import {
  type BindValue,
  every,
  join,
  kinds,
  plan,
  requestValue,
  type Sql,
  scopeSql,
  sql,
} from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import { type Condition, maxPatternLength, timeUnits, type Value } from "#vocabulary/conditions/conditions";
import type { Json } from "#vocabulary/json";
import { candidatesFor, type Mentioned } from "./candidate-values.ts";
import { Impossible } from "./choices.ts";
import { type Cell, type CellCondition, type CellGroup, isChangeable, type RowPlan } from "./row-plan.ts";
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
  const components = componentsOf(search.plan);
  if (components.length === 0) return;
  const candidates = new Map(
    components.flatMap((component) => [...candidatesOf(component, search)].map((entry) => entry)),
  );
  const found = await foundValues(components, candidates, search);
  for (const [index, component] of components.entries()) {
    const values = found[index];
    if (values == null) throw await conflictOf(component, candidates, search);
    for (const [at, group] of [...component.groups].entries()) group.value = values[at] ?? null;
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

function candidatesOf(
  { groups, conditions }: Component,
  { world, caller }: Search,
): Map<CellGroup, readonly (string | null)[]> {
  const open = [...groups].filter(isOpen);
  const most = Math.max(3, Math.floor(mostCombinations ** (1 / Math.max(1, open.length))));
  const stored = open.flatMap(({ cells }) => cells.flatMap((cell) => currentOf(cell) ?? []));
  const mentioned = mentionedIn(conditions, caller, stored);
  return new Map(
    [...groups].map((group) => {
      if (group.value !== undefined) return [group, [group.value]];
      const [cell] = group.cells;
      const values = cell === undefined ? [] : candidatesFor(cell, mentioned, world);
      const nulls = group.cells.every(({ field }) => field?.nullable === true) ? [null] : [];
      const current = group.cells.flatMap((each) => currentOf(each) ?? []);
      const isFree = !conditions.some(({ check, condition }) => check === null && names(condition, group));
      const all = isFree
        ? [...current, ...nulls, ...values]
        : [...current, ...values.slice(0, most - 1), ...nulls];
      return [group, [...new Set(all)].slice(0, Math.max(most, all.length - values.length))];
    }),
  );
}

function names(condition: Condition, { cells }: CellGroup): boolean {
  return cellsIn(condition, new Map(cells.map((cell) => [cell.name, cell]))).length > 0;
}

/** The value of a column of the caller's row, which another one can replace. */
function currentOf({ row, column }: Cell): string | null {
  return row.standing === "caller" && isChangeable(column) ? (row.stored?.get(column) ?? null) : null;
}

function mentionedIn(
  conditions: readonly CellCondition[],
  caller: Principal,
  stored: readonly Json[],
): Mentioned {
  const literals: Json[] = [...stored];
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

/** For each component the values of its groups, or null if no combination fulfils its conditions. */
async function foundValues(
  components: readonly Component[],
  candidates: ReadonlyMap<CellGroup, readonly (string | null)[]>,
  search: Search,
): Promise<(readonly (string | null)[] | null)[]> {
  const bound: BindValue[] = [];
  const queries = components.map((one) => sql("(?)", componentSql(one, candidates, search, bound)));
  const { statement, bind } = plan(sql("select ?", join(queries, ", ")));
  const values = bind(bound, search.caller);
  const [row = []] = await search.connection.run({ name: null, text: statement.text }, values);
  return row.map((text): readonly (string | null)[] | null => (text === null ? null : JSON.parse(text)));
}

function componentSql(
  { groups, conditions }: Component,
  candidates: ReadonlyMap<CellGroup, readonly (string | null)[]>,
  { plan: { cells }, world }: Search,
  bound: BindValue[],
): Sql {
  const aliases = new Map([...groups].map((group, index) => [group, `v${index}`]));
  const tables = [...aliases].map(([group, alias]) => {
    const kind = group.cells[0]?.kind ?? "text";
    const rows = (candidates.get(group) ?? []).map((value, order) =>
      sql(`(${order}, ?)`, requestValue(bound.push(value) - 1, kind)),
    );
    if (rows.length === 0) return sql(`(select 0, null::${kinds[kind].sqlType} limit 0) as ??(n, v)`, alias);
    return sql("(values ?) as ??(n, v)", join(rows, ", "), alias);
  });
  const model = modelOfCells(cells);
  const row = (name: string) => {
    const group = cells.get(name)?.group;
    return sql("??.v", (group && aliases.get(group)) ?? "");
  };
  const where = conditions.map(({ condition, check }) => {
    const piece = every(scopeSql({ kind: "some", when: condition }, model, world.models, row, "read"));
    return check === null ? piece : sql("(?) is not false", piece);
  });
  const list = [...aliases.values()];
  const from = tables.length === 0 ? sql(" ") : sql("from ?", join(tables, ", "));
  const order = list.length === 0 ? "1" : list.map((alias) => `${alias}.n`).join(" + ");
  const texts = list.map((alias) => `${alias}.v::text`).join(", ");
  return sql(`select jsonb_build_array(${texts}) ? where ? order by ${order} limit 1`, from, every(where));
}

/** Cells as the fields of one model. */
function modelOfCells(cells: ReadonlyMap<string, Cell>): Model {
  const fields = Object.fromEntries([...cells].map(([name, { kind }]) => [name, { kind }]));
  const none = { relations: {}, uniqueKeys: [], foreignKeys: [], softDelete: false, maxLimit: 1 };
  const key = "cells";
  return { key, typeName: key, table: key, slug: key, id: "bigint", fields, ...none };
}

/** Names the checks without which values exist, or the conditions that no values fulfil. */
async function conflictOf(
  component: Component,
  candidates: ReadonlyMap<CellGroup, readonly (string | null)[]>,
  search: Search,
): Promise<Impossible> {
  for (const dropped of component.conditions.filter(({ check }) => check !== null)) {
    const conditions = component.conditions.filter((condition) => condition !== dropped);
    const [values] = await foundValues([{ ...component, conditions }], candidates, search);
    if (values != null) return new Impossible(`conflicts with the check ${dropped.check}`);
  }
  const cells = [...component.groups].flatMap((group) => group.cells);
  const closed = cells.filter(({ setByServer }) => setByServer).map(({ column }) => column);
  if (closed.length > 0) return new Impossible(`the caller cannot write ${[...new Set(closed)].join(", ")}`);
  const texts = component.conditions.map(({ text }) => text);
  return new Impossible(`found no values for ${[...new Set(texts)].join(" AND ")}`);
}

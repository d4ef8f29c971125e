import { classifyDatabaseError, type Transaction } from "#runtime/core/database/index";
import { plan as fixed, type Sql, sql, tableSql } from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { Json } from "#vocabulary/json";
import { rowsThatHold } from "../../conditions/index.ts";
import { jsonRowSql } from "../table-rows.ts";
import { Choices, Impossible, otherChoices } from "./choices.ts";
import { completePlan } from "./complete-plan.ts";
import { atomsOf, withoutAtom } from "./condition-atoms.ts";
import { Demands, type PartPlace } from "./demands.ts";
import { recordRow, sentFields } from "./record-row.ts";
import { fix, type PlannedRow, RowPlan, settledRow } from "./row-plan.ts";
import { insertRow, refusedAsImpossible, storedRow, storeRows, valuesOf } from "./stored-rows.ts";
import {
  type ColumnTexts,
  type MissingWitness,
  runtimeModel,
  type Witness,
  type Witnesses,
  type WitnessRequest,
  type WitnessWorld,
} from "./witness.ts";

/**
 * Makes rows that fulfil a condition for a caller, and for each of its atoms a row that breaks only this atom.
 * PostgreSQL has confirmed each row. New records can be created, but two can have the same unique key.
 */
export async function makeWitnesses(world: WitnessWorld, request: WitnessRequest): Promise<Witnesses> {
  const rows: Witness[] = [];
  const missing: MissingWitness[] = [];
  await world.database.transaction(async (connection) => {
    const stored = await callersRow(world, connection, request.caller);
    for (const goals of goalsOf(request.condition)) {
      const reasons: string[] = [];
      const before = rows.length;
      for (const goal of goals) {
        const found = await bestAttempt(world, connection, (choices) =>
          madeRow({ world, connection, request, stored, goal }, choices),
        );
        if (typeof found === "string") reasons.push(found);
        else rows.push(found);
      }
      const [goal] = goals;
      if (rows.length > before || goal === undefined) continue;
      missing.push({ kind: goal.kind, atom: goal.atom, reason: reasons[0] ?? "" });
    }
  });
  return stillTrue(world, request, { rows, missing });
}

/** Rows of later witnesses can change what an EXISTS finds for earlier ones. Those are missing. */
async function stillTrue(
  { database, models }: WitnessWorld,
  { model: key, condition }: WitnessRequest,
  { rows, missing }: Witnesses,
): Promise<Witnesses> {
  const model = models.get(key);
  const held = new Set<string>();
  for (const caller of new Set(rows.map((row) => row.caller))) {
    const ids = rows.flatMap((row) => (row.caller === caller && row.data === null ? row.id : []));
    if (model === undefined || ids.length === 0) continue;
    for (const id of await rowsThatHold({ connection: database, models }, model, condition, caller, ids))
      held.add(id);
  }
  const isKept = ({ data, id, kind }: Witness) => data !== null || held.has(id) === (kind === "in");
  const changed = rows.filter((row) => !isKept(row));
  const reason = "rows of other witnesses change what the condition finds";
  const lost = changed.map(({ kind, atom }) => ({ kind, atom, reason }));
  return { rows: rows.filter(isKept), missing: [...missing, ...lost] };
}

/** A witness to make: what is demanded of the row, and what PostgreSQL must find. Null holds for all rows. */
interface Goal {
  readonly kind: "in" | "out";
  readonly atom: string | null;
  readonly holds: Condition | null;
  readonly fails: Condition | null;
  demand(demands: Demands, place: PartPlace): void;
}

function goalsOf(condition: Condition | null): Goal[][] {
  if (condition === null) return [[{ kind: "in", atom: null, holds: null, fails: null, demand: () => {} }]];
  const ways = condition.op === "or" ? condition.conditions : [condition];
  const fulfilled = ways.map(
    (way): Goal => ({
      ...{ kind: "in", atom: null, holds: condition, fails: null },
      demand: (demands, place) => demands.demand(way, true, place),
    }),
  );
  const broken = atomsOf(condition).map(({ path, text }): Goal[] => [
    {
      ...{ kind: "out", atom: text, holds: withoutAtom(condition, path), fails: condition },
      demand: (demands, place) => demands.breakAtom(condition, path, true, place),
    },
  ]);
  return [fulfilled, ...broken];
}

/** A goal, and where it is reached. */
interface Setting {
  readonly world: WitnessWorld;
  readonly connection: Transaction;
  readonly request: WitnessRequest;
  /** The row of the caller. */
  readonly stored: ColumnTexts | null;
  readonly goal: Goal;
}

/** Throws `Impossible`. */
async function madeRow(setting: Setting, choices: Choices): Promise<Witness> {
  const { world, connection, request, goal } = setting;
  const { model: key, state } = request;
  const plan = new RowPlan(world);
  const { caller, callerRow } = callerIn(plan, setting);
  const sender = typeof state === "string" ? null : { ...state, caller, callerRow };
  const made = sender === null ? plan.addRow(key, "new") : recordRow(plan, key, sender);
  goal.demand(new Demands(plan, choices, caller, callerRow), { at: made, itself: made, depth: 0 });
  const root = settledRow(made);
  if (state === "deleted") fix(plan.cell(root, "deleted_at"), new Date(Date.now() - 3_600_000).toISOString());
  for (const column of callerRow?.standing === "new" ? ["is_verified", "is_active"] : [])
    if (callerRow !== null && !callerRow.cells.has(column)) fix(plan.cell(callerRow, column), "true");
  const sent = sender === null ? [] : sentFields(plan, root, sender);
  const isFresh = (row: PlannedRow) =>
    row === root && (state === "deleted" || root.model.columns.id === null);
  await completePlan({ connection, world, plan, caller }, isFresh);
  const ids = await storeRows(connection, plan.rows, world);
  const values = valuesOf(root, world);
  const id = ids.get(root) ?? values.get("id") ?? "";
  const found = { kind: goal.kind, atom: goal.atom, model: key, caller, id };
  const model = runtimeModel(world, key);
  if (sender === null) {
    await confirm(setting, root, found, model);
    return { ...found, data: null };
  }
  // The service judges a new row before EXISTS can find it, and before a constraint refuses it.
  const apart = { ...model, schema: "pg_temp", table: "kirak_check_record" };
  const table = sql(
    "create temp table ?? (like ? including defaults including generated) on commit drop",
    apart.table,
    tableSql(model),
  );
  const data = await undone(connection, async () => {
    const run = (piece: Sql) => connection.run({ name: null, text: fixed(piece).statement.text }, []);
    await run(table);
    await insertRow(connection, root.model, apart, values);
    await confirm(setting, root, found, apart);
    const [[record = null] = []] = await run(sql("select ? from ? as t", jsonRowSql(model), tableSql(apart)));
    if (goal.kind === "in") await insertRow(connection, root.model, model, values);
    const made: Readonly<Record<string, Json>> = JSON.parse(record ?? "{}");
    return Object.fromEntries(sent.map((name) => [name, made[name] ?? null]));
  });
  return { ...found, data };
}

/** The caller, or a new one with the same role if the condition uses its columns. */
function callerIn(
  plan: RowPlan,
  { world, request: { caller, condition }, stored }: Setting,
): { caller: Principal; callerRow: PlannedRow | null } {
  if (stored === null) return { caller, callerRow: null };
  const isNew = JSON.stringify(condition)?.includes('"user":') === true;
  const callerRow = plan.addRow("users", isNew ? "new" : "caller");
  if (!isNew) {
    callerRow.stored = stored;
    plan.cell(callerRow, "id");
    return { caller, callerRow };
  }
  const user_id = String(world.nextNumber());
  const email = `caller-${user_id}@check-access.example`;
  for (const [column, value] of Object.entries({ id: user_id, email, role: caller.role }))
    fix(plan.cell(callerRow, column), value);
  return { caller: { ...caller, user_id, email }, callerRow };
}

async function callersRow(
  { models, definition }: WitnessWorld,
  connection: Transaction,
  { user_id }: Principal,
): Promise<ColumnTexts | null> {
  const users = models.get("users");
  if (users === undefined || user_id === null || !/^\d+$/.test(user_id)) return null;
  const isModel = definition.models.some(({ key }) => key === users.key);
  return isModel ? storedRow(connection, users, new Map([["id", user_id]])) : null;
}

/** Asks PostgreSQL whether a row is what it was made for. Throws `Impossible` if it is not. */
async function confirm(
  { world: { models }, connection, goal }: Setting,
  { model: definition }: PlannedRow,
  { caller, id }: Pick<Witness, "caller" | "id">,
  model: Model,
): Promise<void> {
  const holds = (condition: Condition | null) =>
    refusedAsImpossible(definition, () =>
      rowsThatHold({ connection, models }, model, condition, caller, [id]),
    );
  if ((await holds(goal.holds)).length === 0)
    throw new Impossible("the rows that were tried do not fulfil the condition");
  if (goal.fails !== null && (await holds(goal.fails)).length > 0)
    throw new Impossible("the rows that were tried still fulfil the condition");
}

class Undo extends Error {}

/** Runs work and rolls it back. */
async function undone<T>(connection: Transaction, work: () => Promise<T>): Promise<T> {
  const results: T[] = [];
  const run = connection.savepoint(async () => {
    results.push(await work());
    throw new Undo();
  });
  await run.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  for (const result of results) return result;
  throw new Error("the savepoint was not rolled back");
}

/** Attempts for one goal. A failed attempt leaves no rows. */
const mostAttempts = 24;

/** The result of the first attempt that is possible, else a reason. */
async function bestAttempt(
  { shared, random }: WitnessWorld,
  connection: Transaction,
  make: (choices: Choices) => Promise<Witness>,
): Promise<Witness | string> {
  const reasons: string[] = [];
  const attempt = async (choices: Choices): Promise<Witness | null> => {
    const before = [...shared];
    try {
      return await connection.savepoint(() => make(choices));
    } catch (error) {
      const isRefused = classifyDatabaseError(error)?.kind === "invalid_value";
      if (!(error instanceof Impossible || (isRefused && error instanceof Error))) throw error;
      shared.clear();
      for (const [key, values] of before) shared.set(key, values);
      reasons.push(error.message);
      return null;
    }
  };
  const first = new Choices([]);
  let found = await attempt(first);
  for (const picked of found === null ? otherChoices(first.counts, mostAttempts, random) : [])
    found ??= await attempt(new Choices(picked));
  return found ?? reasons.find((reason) => reason.startsWith("conflicts")) ?? reasons[0] ?? "";
}

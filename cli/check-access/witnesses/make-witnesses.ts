import type { Transaction } from "#runtime/core/database/index";
import type { Principal } from "#runtime/models/access/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { rowsThatHold } from "../../conditions/index.ts";
import { Choices, Impossible, otherChoices } from "./choices.ts";
import { atomsOf, withoutAtom } from "./condition-atoms.ts";
import { confirmRecord, confirmRow, type Expected } from "./confirm.ts";
import { completePlan } from "./complete-plan.ts";
import { Demands, type Place } from "./demands.ts";
import { recordData, recordRow, sentFields } from "./record-row.ts";
import { fix, isChangeable, type PlannedRow, RowPlan, settledRow } from "./row-plan.ts";
import { storedRow, storeRows } from "./stored-rows.ts";
import type {
  Columns,
  MissingWitness,
  Witness,
  WitnessRecord,
  WitnessRecords,
  WitnessRequest,
  Witnesses,
  WitnessWorld,
} from "./witness.ts";

/**
 * Stores rows that fulfil a condition for a caller, and for each of its atoms a row that breaks only this atom. `deleted`: the rows
 * are soft-deleted, for `restore`. PostgreSQL has confirmed each row.
 */
export async function makeWitnesses(
  world: WitnessWorld,
  request: WitnessRequest & { readonly deleted?: boolean },
): Promise<Witnesses> {
  const { deleted = false } = request;
  const { made, missing } = await eachGoal(world, request, async (attempt): Promise<Witness> => {
    const { connection, plan, root, goal } = attempt;
    if (deleted) fix(plan.cell(root, "deleted_at"), new Date(Date.now() - 3_600_000).toISOString());
    await completePlan({ ...attempt, caller: request.caller }, (row) => deleted && row === root);
    await storeRows(connection, plan.rows, world);
    const id = plan.cell(root, "id").group.value ?? "";
    await confirmRow({ ...attempt, ...request, id });
    return { id, kind: goal.kind, atom: goal.atom, callerColumns: attempt.callerColumns() };
  });
  return stillTrue(world, request, { rows: made, missing });
}

/** Rows of later witnesses can change what an EXISTS finds for earlier ones. Those are missing. */
async function stillTrue(
  { database, models }: WitnessWorld,
  { model: key, condition, caller }: WitnessRequest,
  { rows, missing }: Witnesses,
): Promise<Witnesses> {
  const model = models.get(key);
  const asked = rows.filter(({ callerColumns }) => callerColumns.size === 0);
  if (model === undefined || asked.length === 0) return { rows, missing };
  const ids = asked.map(({ id }) => id);
  const held = await rowsThatHold({ connection: database, models }, model, condition, caller, ids);
  const changed = asked.filter(({ id, kind }) => held.includes(id) !== (kind === "in"));
  const reason = "rows of other witnesses change what the condition finds";
  return {
    rows: rows.filter((row) => !changed.includes(row)),
    missing: [...missing, ...changed.map(({ kind, atom }) => ({ kind, atom, reason }))],
  };
}

/**
 * The same as `makeWitnesses` for rows that do not exist yet: the data that a caller sends to create them. `closed` are the fields
 * that the caller cannot write. Each record can be created, but two of them can have the same unique key. A model that has a unique
 * key over the caller needs a caller without such a row.
 */
export async function makeRecords(
  world: WitnessWorld,
  request: WitnessRequest & { readonly closed: ReadonlySet<string> },
): Promise<WitnessRecords> {
  const { made, missing } = await eachGoal(
    world,
    request,
    async (attempt): Promise<WitnessRecord> => {
      const { connection, plan, root, goal } = attempt;
      const sent = sentFields(attempt, request);
      await completePlan({ ...attempt, caller: request.caller });
      await storeRows(connection, plan.rows, world);
      await confirmRecord({ ...attempt, ...request });
      const data = await recordData(connection, root, sent, world);
      return { data, kind: goal.kind, atom: goal.atom, callerColumns: attempt.callerColumns() };
    },
    request.closed,
  );
  return { records: made, missing };
}

/** A witness to make: what is demanded of the row, and what PostgreSQL must find. */
interface Goal extends Expected {
  readonly kind: "in" | "out";
  readonly atom: string | null;
  demand(demands: Demands, place: Place): void;
}

/** A try to reach a goal. */
interface Attempt {
  readonly world: WitnessWorld;
  readonly connection: Transaction;
  readonly plan: RowPlan;
  readonly root: PlannedRow;
  readonly goal: Goal;
  readonly callerRow: PlannedRow | null;
  /** The changed columns of the caller's row. */
  callerColumns(): Columns;
}

function goalsOf(condition: Condition | null): Goal[][] {
  if (condition === null) return [[{ kind: "in", atom: null, holds: [null], fails: [], demand: () => {} }]];
  const ways = condition.op === "or" ? condition.conditions : [condition];
  const fulfilled = ways.map(
    (way): Goal => ({
      kind: "in",
      atom: null,
      holds: [condition],
      fails: [],
      demand: (demands, place) => demands.demand(way, true, place),
    }),
  );
  const broken = atomsOf(condition).map(({ path, text }): Goal[] => [
    {
      kind: "out",
      atom: text,
      holds: [withoutAtom(condition, path)],
      fails: [condition],
      demand: (demands, place) => demands.breakAtom(condition, path, true, place),
    },
  ]);
  return [fulfilled, ...broken];
}

/** Reaches all goals of a request. A list of goals is missing if none of them is reached. */
async function eachGoal<Made>(
  world: WitnessWorld,
  { model, condition, caller }: WitnessRequest,
  make: (attempt: Attempt) => Promise<Made>,
  closed: ReadonlySet<string> | null = null,
): Promise<{ made: Made[]; missing: MissingWitness[] }> {
  return world.database.transaction(async (connection) => {
    const stored = await callersRow(world, connection, caller);
    const made: Made[] = [];
    const missing: MissingWitness[] = [];
    for (const goals of goalsOf(condition)) {
      const reasons: string[] = [];
      const before = made.length;
      for (const goal of goals) {
        const found = await bestAttempt(world, connection, (picked) => {
          const attempt = newAttempt(world, { connection, goal, model, caller, closed, stored }, picked);
          return { counts: attempt.counts, run: () => make(attempt.begin()) };
        });
        if ("reason" in found) reasons.push(found.reason);
        else made.push(found.made);
      }
      const [goal] = goals;
      if (made.length > before || goal === undefined) continue;
      missing.push({ kind: goal.kind, atom: goal.atom, reason: reasons[0] ?? "" });
    }
    return { made, missing };
  });
}

interface Setting extends Pick<Attempt, "connection" | "goal"> {
  readonly model: string;
  readonly caller: Principal;
  /** Null for rows to store. */
  readonly closed: ReadonlySet<string> | null;
  readonly stored: Columns | null;
}

function newAttempt(world: WitnessWorld, setting: Setting, picked: readonly number[]) {
  const { connection, goal, model, caller, closed, stored } = setting;
  const choices = new Choices(picked);
  return {
    counts: choices.counts,
    begin(): Attempt {
      const plan = new RowPlan(world);
      const callerRow = stored === null ? null : callerIn(plan, stored);
      const root =
        closed === null ? plan.addRow(model, "new") : recordRow(plan, { model, caller, closed, callerRow });
      goal.demand(new Demands(plan, choices, caller, callerRow), { at: root, itself: root, depth: 0 });
      const callerColumns = () => changedColumns(callerRow);
      return {
        world,
        connection,
        plan,
        goal,
        callerRow,
        callerColumns,
        get root() {
          return settledRow(root);
        },
      };
    },
  };
}

function callerIn(plan: RowPlan, stored: Columns): PlannedRow {
  const row = plan.addRow("users", "caller");
  row.stored = stored;
  fix(plan.cell(row, "id"), stored.get("id") ?? null);
  return row;
}

function changedColumns(row: PlannedRow | null): Columns {
  const cells = row === null ? [] : [...row.cells.values()];
  return new Map(
    cells.flatMap(({ column, group }): [string, string | null][] => {
      const isOther = group.value !== undefined && group.value !== (row?.stored?.get(column) ?? null);
      return isOther && isChangeable(column) ? [[column, group.value ?? null]] : [];
    }),
  );
}

async function callersRow(
  { models, definition }: WitnessWorld,
  connection: Transaction,
  { user_id }: Principal,
): Promise<Columns | null> {
  const users = models.get("users");
  if (users === undefined || user_id === null || !/^\d+$/.test(user_id)) return null;
  const isModel = definition.models.some(({ key }) => key === users.key);
  return isModel ? storedRow(connection, users, new Map([["id", user_id]])) : null;
}

/** Attempts for one goal. A failed attempt leaves no rows. */
const mostAttempts = 24;

async function bestAttempt<Made>(
  { shared, random }: WitnessWorld,
  connection: Transaction,
  prepare: (picked: readonly number[]) => { counts: readonly number[]; run: () => Promise<Made> },
): Promise<{ made: Made } | { reason: string }> {
  const reasons: string[] = [];
  const attempt = async (
    picked: readonly number[],
  ): Promise<{ made: Made } | { counts: readonly number[] }> => {
    const { counts, run } = prepare(picked);
    const before = [...shared];
    try {
      return { made: await connection.savepoint(run) };
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      shared.clear();
      for (const [key, values] of before) shared.set(key, values);
      reasons.push(error.message);
      return { counts };
    }
  };
  const first = await attempt([]);
  if ("made" in first) return first;
  for (const picked of otherChoices(first.counts, mostAttempts, random)) {
    const other = await attempt(picked);
    if ("made" in other) return other;
  }
  return { reason: reasons.find((reason) => reason.startsWith("conflicts")) ?? reasons[0] ?? "" };
}

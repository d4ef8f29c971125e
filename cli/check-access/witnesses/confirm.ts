import type { Transaction } from "#runtime/core/database/index";
import { columnsOfTable, every, join, plan, requestValue, scopeSql, sql } from "#runtime/data/sql/index";
import type { Principal } from "#runtime/models/access/index";
import { columnsOf, type Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { rowsThatHold } from "../../conditions/index.ts";
import { Impossible } from "./choices.ts";
import type { PlannedRow } from "./row-plan.ts";
import { insertRow, refusedAsImpossible, valuesOf } from "./stored-rows.ts";
import type { ColumnTexts, WitnessWorld } from "./witness.ts";

/** Conditions that must hold for a row, and conditions that must not. Null holds for all rows. */
export interface Expected {
  readonly holds: readonly (Condition | null)[];
  readonly fails: readonly Condition[];
}

interface Confirmation {
  readonly world: WitnessWorld;
  readonly connection: Transaction;
  readonly goal: Expected;
  readonly caller: Principal;
  readonly root: PlannedRow;
  callerColumns(): ColumnTexts;
}

type Holds = (condition: Condition | null) => Promise<boolean>;

/** Asks PostgreSQL whether a stored row is what it was made for. Throws `Impossible` if it is not. */
export async function confirmRow(confirmation: Confirmation & { readonly id: string }): Promise<void> {
  const { world, connection, caller, root, id } = confirmation;
  const model = modelOf(world, root);
  await confirm(confirmation, async (condition) => {
    const [found] = await rowsThatHold({ connection, models: world.models }, model, condition, caller, [id]);
    return found !== undefined;
  });
}

/** The same for a record, which is inserted and rolled back after it. */
export async function confirmRecord(confirmation: Confirmation): Promise<void> {
  const { world, connection, caller, root, goal } = confirmation;
  const model = modelOf(world, root);
  const values = valuesOf(root, world);
  const columns = [...columnsOf(model).values()];
  const list = join(
    columns.map(({ column, kind }, index) => sql("? as ??", requestValue(index, kind), column)),
    ", ",
  );
  await confirm(confirmation, async (condition) => {
    const scope =
      condition === null ? ({ kind: "all" } as const) : ({ kind: "some", when: condition } as const);
    const where = every(scopeSql(scope, model, world.models, columnsOfTable(model, "t"), "read", true));
    const { statement, bind } = plan(sql("select 1 from (select ?) as t where ?", list, where));
    const bound = bind(
      columns.map(({ name }) => values.get(name) ?? null),
      caller,
    );
    const found = await connection.run({ name: null, text: statement.text }, bound);
    return found.length > 0;
  });
  // The rule refuses the others before a constraint does.
  if (goal.fails.length === 0) await undone(connection, () => insertRow(connection, root.model, values));
}

function modelOf({ models }: WitnessWorld, { model }: PlannedRow): Model {
  const found = models.get(model.key);
  if (found === undefined) throw new Error(`there is no model ${model.key}`);
  return found;
}

async function confirm(
  { connection, goal, root, world, caller, callerColumns }: Confirmation,
  holds: Holds,
): Promise<void> {
  const check = async () => {
    for (const condition of goal.holds)
      if (!(await holds(condition)))
        throw new Impossible("the rows that were tried do not fulfil the condition");
    for (const condition of goal.fails)
      if (await holds(condition)) throw new Impossible("the rows that were tried still fulfil the condition");
  };
  const columns = callerColumns();
  await refusedAsImpossible(root.model, async () => {
    if (columns.size === 0) return check();
    return undone(connection, async () => {
      await changeCaller(connection, world, caller, columns);
      await check();
    });
  });
}

async function changeCaller(
  connection: Transaction,
  { models }: WitnessWorld,
  { user_id }: Principal,
  columns: ColumnTexts,
): Promise<void> {
  const users = models.get("users");
  if (users === undefined) return;
  const set = [...columns.keys()].map((name, index) => sql(`?? = $${index + 2}`, name));
  const { statement } = plan(sql("update ?? set ? where id = $1", users.table, join(set, ", ")));
  await connection.run({ name: null, text: statement.text }, [user_id, ...columns.values()]);
}

class Undo extends Error {}

/** Runs work and rolls it back. */
async function undone(connection: Transaction, work: () => Promise<void>): Promise<void> {
  try {
    await connection.savepoint(async () => {
      await work();
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
}

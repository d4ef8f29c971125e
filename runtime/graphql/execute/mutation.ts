import { databaseProblem } from "../../crud/database-problem.ts";
import { workIn } from "../../crud/operations/mutation.ts";
import { storedOnce } from "../../crud/values/records.ts";
import type { Transaction } from "../../database/index.ts";
import type { Asking } from "../plan/asking.ts";
import { type AdmittedMutation, admitMutation, type MutationRoot } from "../plan/mutation.ts";
import { oneRow } from "./one-row.ts";
import type { Task } from "./task.ts";
import { type WrittenRows, writtenRows } from "./written-rows.ts";

/** Runs the root fields of a mutation one after the other in one transaction, which may run them all again. */
export async function runMutation(
  tasks: readonly Task<Transaction>[],
  { services }: Pick<Asking, "services">,
): Promise<string[]> {
  for (const { prepare } of tasks) await prepare?.();
  try {
    return await services.database.transaction(async (transaction) => {
      const values: string[] = [];
      for (const task of tasks) values.push(await task.run(transaction));
      return values;
    });
  } catch (error) {
    // What a statement violates was told where it ran; this is about the transaction.
    throw databaseProblem(error, { uniqueKeys: [], foreignKeys: [] });
  }
}

/** Prepares a mutation: one statement writes, and one more gets what is selected once the after-hook has run. */
export function prepareMutation(root: MutationRoot, asking: Asking): Task<Transaction> {
  const admitted = admitMutation(root, asking);
  const rows = writtenRows(root, admitted, asking);
  const prepare = () => hashPasswords(root, admitted);
  return { key: root.key, prepare, run: (transaction) => runRoot(root, admitted, rows, transaction) };
}

/** Of a record that no hook changes: a transaction would keep a connection, and locks, from others while that takes its time. */
async function hashPasswords({ verb }: MutationRoot, { call, asked }: AdmittedMutation): Promise<void> {
  const { data } = asked.mentions;
  // A restore makes a record of its own, without `deleted_at`.
  const isFinal = verb !== "restore" && call.entry.hooks[`before_${verb}`] === undefined;
  if (data !== undefined && isFinal) await storedOnce(call.model, data, call.services.hashPassword);
}

async function runRoot(
  root: MutationRoot,
  { call, grant, asked }: AdmittedMutation,
  rows: WrittenRows,
  transaction: Transaction,
): Promise<string> {
  try {
    const done = await asked.perform(call, grant, workIn(call, transaction), rows.text);
    const list = await rows.read(done, transaction);
    return root.verb === "create" || root.verb === "upsert" ? oneRow(root, done, list) : list;
  } catch (error) {
    throw databaseProblem(error, call.model);
  }
}

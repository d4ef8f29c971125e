import type { Transaction } from "../../../core/database/index.ts";
import { databaseProblem, hasherOf, mutationScope, transactionOf } from "../../../data/operations/index.ts";
import { storedOnce } from "../../../data/sql/index.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import { type AdmittedMutation, admitMutation, type MutationRoot } from "../plan/plan-mutation.ts";
import { RootFailure } from "../root-failure.ts";
import type { Task } from "./task.ts";
import { oneRow, type WrittenRows, writtenRows } from "./written-rows.ts";

/**
 * Runs the root fields of a mutation one after the other in one transaction, which may run them all again. Errors:
 * `RootFailure`, but of the transaction itself.
 */
export async function runMutation(
  tasks: readonly Task<Transaction>[],
  { services, caller: { ensureNotRevoked } }: Pick<GraphqlContext, "services" | "caller">,
): Promise<string[]> {
  const progress: { key: string | null } = { key: null };
  const each = async (act: (task: Task<Transaction>) => Promise<void> | undefined) => {
    for (const task of tasks) {
      progress.key = task.key;
      await act(task);
    }
    progress.key = null;
  };
  const work = async (transaction: Transaction) => {
    const values: string[] = [];
    await each(async ({ run }) => void values.push(await run(transaction)));
    return values;
  };
  try {
    return await transactionOf({ services, ensureNotRevoked }, work, () =>
      each(({ prepare }) => prepare?.()),
    );
  } catch (error) {
    // What a statement violates was told where it ran; this is about the transaction.
    const problem = databaseProblem(error, null);
    // Not inside the transaction, which tells by what was thrown whether to run again.
    throw progress.key === null ? problem : new RootFailure(progress.key, problem);
  }
}

/** Prepares a mutation: one statement writes, and one more gets what is selected once the after-hook has run. */
export function prepareMutation(root: MutationRoot, context: GraphqlContext): Task<Transaction> {
  const admitted = admitMutation(root, context);
  const rows = writtenRows(root, admitted, context);
  const prepare = () => hashPasswords(root, admitted);
  return { key: root.key, prepare, run: (transaction) => runRoot(root, admitted, rows, transaction) };
}

/** Of a record that no hook changes: a transaction would keep a connection, and locks, from others while that takes its time. */
async function hashPasswords({ verb }: MutationRoot, { call, asked }: AdmittedMutation): Promise<void> {
  const { data } = asked.mentions;
  // A restore makes a record of its own, without `deleted_at`.
  const isFinal = verb !== "restore" && call.entry.hooks[`before_${verb}`] === undefined;
  if (data !== undefined && isFinal) await storedOnce(call.model, data, hasherOf(call));
}

async function runRoot(
  root: MutationRoot,
  { call, grant, asked }: AdmittedMutation,
  rows: WrittenRows,
  transaction: Transaction,
): Promise<string> {
  try {
    const done = await asked.perform(call, grant, mutationScope(call, transaction), rows.text);
    const list = await rows.read(done, transaction);
    return root.verb === "create" || root.verb === "upsert" ? oneRow(root, done, list) : list;
  } catch (error) {
    throw databaseProblem(error, call.model);
  }
}

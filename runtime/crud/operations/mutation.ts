import type { Connection, Transaction } from "../../database/index.ts";
import type { Answer } from "../../http/envelope.ts";
import type { Hook, MutationContext } from "../../model/index.ts";
import { runHook } from "../../model/index.ts";
import { type Call, mutationContext } from "../call.ts";
import { databaseProblem } from "../database-problem.ts";

/** Where the statements of one mutation run, and what its hooks are told. */
export interface Work {
  readonly connection: Connection;
  /** Null for a mutation of a single statement, which is a transaction by itself. */
  readonly transaction: Transaction | null;
  /** Hooks run inside a transaction, so there is one where this is called. */
  readonly context: () => MutationContext;
}

/**
 * Runs a mutation. Hooks run inside its transaction, so that a throw in one rolls everything back; without hooks a
 * mutation of one statement needs no transaction of its own.
 */
export async function mutate<Result>(
  call: Call,
  atomic: boolean,
  work: (work: Work) => Promise<Result>,
): Promise<Result> {
  const { database } = call.services;
  try {
    if (!atomic) return await work({ connection: database, transaction: null, context: noHooks });
    return await database.transaction((transaction) =>
      work({ connection: transaction, transaction, context: () => mutationContext(call, transaction) }),
    );
  } catch (error) {
    throw databaseProblem(error, call.model);
  }
}

function noHooks(): never {
  throw new Error("a mutation with hooks was run without a transaction");
}

/** The answer of a mutation once its after-hook has seen the data. */
export async function answerAfter<Data>(
  hook: Hook<Data, MutationContext> | undefined,
  work: Work,
  answer: Answer,
): Promise<Answer> {
  if (hook === undefined) return answer;
  const data: Data = JSON.parse(answer.data);
  return { ...answer, data: JSON.stringify(await runHook(hook, data, work.context)) };
}

/** Helpers that custom code shares, by the contexts that `kirak` has names for. */

import {
  type CodeContext,
  defineJob,
  defineRoute,
  type JobContext,
  type MutationContext,
} from "#runtime/index";
import type { TasksHooks } from "../http/fixture/generated/models/tasks/model.ts";

async function anywhere({ db }: Pick<CodeContext, "db">): Promise<number> {
  return db.tasks.count();
}

async function inTransaction({ transaction }: MutationContext): Promise<void> {
  await transaction("tasks").select("id");
}

async function ofJobs({ signal, db }: JobContext): Promise<void> {
  signal.throwIfAborted();
  await db.tasks.count();
}

export const before_fetch: TasksHooks["before_fetch"] = async (_, context) => {
  await anywhere(context);
  // @ts-expect-error a read has no transaction
  await inTransaction(context);
};

export const before_update: TasksHooks["before_update"] = async (_, context) => {
  await anywhere(context);
  await inTransaction(context);
  // @ts-expect-error no job, no signal
  await ofJobs(context);
  context.afterCommit(async (later) => {
    await anywhere(later);
    // @ts-expect-error it has ended
    await inTransaction(later);
  });
  await context.db.transaction(inTransaction);
};

export const job = defineJob({
  payload: { type: "object" },
  async run(_, context) {
    await anywhere(context);
    await ofJobs(context);
    // @ts-expect-error it asks for one where it needs one
    await inTransaction(context);
    await context.db.transaction(inTransaction);
  },
});

export const route = defineRoute({
  method: "GET",
  path: "/tasks/how-many",
  access: ["*"],
  answer: { type: "integer" },
  handler: (_, context) => anywhere(context),
});

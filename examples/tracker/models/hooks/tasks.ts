import type { TasksHooks } from "../../generated/models/tasks/model.ts";
import { mailAssignees } from "../assigned.ts";

export const after_create: TasksHooks["after_create"] = async (_, context) =>
  mailAssignees(await context.after(), context);

/** Asked for here, `before` of the after-hook has the rows as they were. */
export const before_update: TasksHooks["before_update"] = async (_, { rows }) => {
  await rows();
};

/** Who had the task before is told nothing: a task may change many times a day. */
export const after_update: TasksHooks["after_update"] = async (_, context) => {
  const assigned = new Map(context.before?.map(({ id, assignee_id }) => [id, assignee_id]));
  const tasks = await context.after();
  await mailAssignees(
    tasks.filter(({ id, assignee_id }) => assignee_id !== assigned.get(id)),
    context,
  );
};

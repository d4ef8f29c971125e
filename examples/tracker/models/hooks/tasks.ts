import type { TasksHooks } from "../../generated/models/tasks/model.ts";
import { mailAssignees } from "../assigned.ts";

export const after_create: TasksHooks["after_create"] = async (_, context) =>
  mailAssignees(await context.after(), context);

/** After this call of `rows()`, `before` of the after-hook has the old rows. */
export const before_update: TasksHooks["before_update"] = async (_, { rows }) => {
  await rows();
};

/** Mails only new assignees, because a task can change many times a day. */
export const after_update: TasksHooks["after_update"] = async (_, context) => {
  const assigned = new Map(context.before?.map(({ id, assignee_id }) => [id, assignee_id]));
  const tasks = await context.after();
  await mailAssignees(
    tasks.filter(({ id, assignee_id }) => assignee_id !== assigned.get(id)),
    context,
  );
};

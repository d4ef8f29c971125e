import type { MutationContext } from "kirak";
import type { TasksRow } from "../generated/models/tasks/model.ts";

/** Mails the assignee of each task, unless the assignee is the caller. */
export async function mailAssignees(
  tasks: readonly TasksRow[],
  { db, mail, principal }: MutationContext,
): Promise<void> {
  for (const { title, due_on, assignee_id } of tasks) {
    if (assignee_id === null || String(assignee_id) === principal.user_id) continue;
    const assignee = await db.users.get(assignee_id);
    if (!assignee?.email) continue;
    await mail.send({
      to: assignee.email,
      template: "assigned",
      data: { title, name: assignee.first_name, due_on },
    });
  }
}

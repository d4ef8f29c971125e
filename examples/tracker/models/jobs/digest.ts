import { defineJob } from "kirak";

/** On working days at 7:00, mails each assignee their due tasks. */
export default defineJob({
  cron: "0 7 * * 1-5",
  payload: { type: "object" },
  async run(_, { db }) {
    // All mails or none: a failed job runs again, and must not mail the same user twice.
    await db.transaction(async ({ sql, mail }) => {
      const due = await sql<{ email: string; tasks: string; count: number }>`
        select users.email, count(*)::int as count, string_agg(tasks.title, ${"\n"} order by due_on, tasks.id) as tasks
        from tasks join projects on projects.id = project_id join users on users.id = assignee_id
        where due_on <= current_date and status <> 'done' and tasks.deleted_at is null
          and projects.deleted_at is null and not projects.archived and users.is_active and users.email is not null
        group by users.email`;
      for (const { email, ...data } of due) await mail.send({ to: email, template: "digest", data });
    });
  },
});

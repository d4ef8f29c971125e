/** What custom code can ask of `context.db` and `context.sql`. The models are those of the fixture. */

import type { HookContext, MutationContext } from "#runtime/hooks/index";

export async function reads({ db, sql }: HookContext): Promise<void> {
  const tasks = await db.tasks.fetch({
    where: { user__gt: 1, title__like: "a" },
    order_by: "title",
    limit: 5,
  });
  const [first] = tasks;
  first?.title.trim();
  // @ts-expect-error there is no such column
  first?.titel;
  const picked = await db.tasks.fetch({ select_fields: ["title", "user"] });
  picked[0]?.title.trim();
  // @ts-expect-error it was not selected
  picked[0]?.status;
  // @ts-expect-error there is no such field to select
  await db.tasks.fetch({ select_fields: ["titel"] });
  // @ts-expect-error nor to order by
  await db.tasks.fetch({ order_by: "titel" });
  // @ts-expect-error nor to filter by
  await db.tasks.fetch({ where: { titel: "a" } });
  // @ts-expect-error a number is not like anything
  await db.tasks.count({ user__like: "1" });
  // @ts-expect-error the field is a number
  await db.tasks.exists({ user: "1" });
  // @ts-expect-error a search without a term
  await db.tasks.fetch({ search_term: "a" });
  // @ts-expect-error ids of the model are numbers
  await db.tasks.get("1");
  const note = await db.notes.get("8d3e1c1e-0000-4000-8000-000000000000");
  // @ts-expect-error the row may not exist
  note.body;
  // @ts-expect-error there is no such model
  await db.taks.fetch();
  // @ts-expect-error no caller gets a password
  (await db.people.get(1))?.secret;
  const rows = await sql<{ n: number }>`select ${1} as n`;
  rows[0]?.n.toFixed();
  // @ts-expect-error it is a template tag
  await sql("select 1");
}

export async function writes({ db }: HookContext): Promise<void> {
  const task = await db.tasks.create({ title: "a" });
  task.id.toFixed();
  const tasks = await db.tasks.create([{ title: "a" }]);
  tasks[0]?.id.toFixed();
  // @ts-expect-error the title is required
  await db.tasks.create({ user: 1 });
  // @ts-expect-error there is no such field
  await db.tasks.create({ title: "a", titel: "b" });
  // @ts-expect-error the server sets it
  await db.tasks.create({ title: "a", created_at: "2026-01-01" });
  await db.tasks.upsert({ id: 1, title: "a" });
  // @ts-expect-error there is no such field
  await db.tasks.update({ where: { id: 1 }, data: { titel: "b" } });
  // @ts-expect-error an update says which rows
  await db.tasks.update({ data: { title: "b" } });
  const ids: number[] = await db.tasks.delete({ ids: [1] });
  await db.tasks.restore({ ids });
  // @ts-expect-error which rows
  await db.tasks.destroy({});
  // @ts-expect-error accounts are written by their own routes
  await db.users.create({ email: "a@example.com" });
  // @ts-expect-error nor are they removed
  await db.users.destroy({ ids: [1] });
  await db.users.fetch({ where: { email: "a@example.com" } });
}

export async function scopes({ db }: HookContext): Promise<number> {
  const mine = await db.as("caller").tasks.fetch();
  // @ts-expect-error gates may hide it
  mine[0]?.title.trim();
  // @ts-expect-error no other caller
  db.as("admin");
  // @ts-expect-error a transaction is that of code
  db.as("caller").transaction;
  return db.transaction(async (context: MutationContext) => {
    await context.transaction.raw("select 1");
    return context.db.tasks.count();
  });
}

/** Declared fills can be missing, and no other required fields. Without a declaration all fields can be. */
export async function filledIn({ db }: HookContext): Promise<void> {
  await db.parcels.create({ label: "a" });
  await db.parcels.upsert({ label: "a", weight: 3 });
  // @ts-expect-error no hook fills in the label
  await db.parcels.create({ code: "a" });
  // @ts-expect-error before_upsert does not fill in the weight
  await db.parcels.upsert({ label: "a" });
  await db.hooked.create({});
  // @ts-expect-error it only has after-hooks
  await db.owners.create({});
}

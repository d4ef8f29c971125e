/** What custom code can ask of `context.kysely`. The tables are those of the fixture. */

import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { JobContext } from "#runtime/hooks/context/index";
import type { HookContext, MutationContext } from "#runtime/hooks/index";
import type { Database } from "../http/fixture/generated/database.ts";

export async function reads({ kysely }: HookContext | JobContext): Promise<void> {
  const rows = await kysely
    .selectFrom("books")
    .innerJoin("authors", "authors.id", "books.author_id")
    .select(({ fn }) => ["authors.name", fn.count<number>("books.id").as("books")])
    .groupBy("authors.name")
    .execute();
  rows[0]?.name.trim();
  rows[0]?.books.toFixed();
  // @ts-expect-error it was not selected
  rows[0]?.salary;
  // @ts-expect-error there is no such table
  kysely.selectFrom("bookz");
  // @ts-expect-error there is no such column
  kysely.selectFrom("books").select("titel");
  // @ts-expect-error a list of allowed values
  kysely.selectFrom("tasks").where("status", "=", "closed");
  // @ts-expect-error passwords are not columns
  kysely.selectFrom("people").select("secret");
  // @ts-expect-error nor those of accounts
  kysely.selectFrom("users").select("password");
  const users = await kysely.selectFrom("users").select("email").execute();
  // @ts-expect-error an account made by phone has none
  users[0]?.email.trim();
  const { rows: counted } = await sql<{ n: number }>`select 1 as n`.execute(kysely);
  counted[0]?.n.toFixed();
}

export async function writes({ kysely }: MutationContext): Promise<void> {
  await kysely.insertInto("tasks").values({ title: "a" }).execute();
  await kysely
    .insertInto("samples")
    .values({ bigint: 1n, decimal: 1, datetimes: [new Date(0)] })
    .execute();
  await kysely
    .insertInto("things")
    .values({ json: { a: [1, null] }, datetime: new Date(0) })
    .execute();
  await kysely.updateTable("tasks").set({ user: null, status: "done" }).where("id", "=", 1).execute();
  // @ts-expect-error the title has no default
  kysely.insertInto("tasks").values({ status: "open" });
  // @ts-expect-error a list would be bound as an array of the database
  kysely.insertInto("things").values({ json: [1] });
  // @ts-expect-error the routes of accounts write them
  kysely.updateTable("users").set({ role: "admin" });
}

export const row = ({ id, decimal, bigint, strings }: Selectable<Database["samples"]>) => {
  const [a, b, c, d]: [number, string | null, number | string | null, string[] | null] = [
    id,
    decimal,
    bigint,
    strings,
  ];
  return [a, b, c, d];
};
export const added: Insertable<Database["tasks"]> = { title: "a" };
export const changed: Updateable<Database["tasks"]> = { status: "done" };

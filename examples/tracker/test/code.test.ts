import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { workingApp } from "../../../test/support/example-apps.ts";
import { testSmtp } from "../../../test/support/smtp.ts";
import { service } from "../generated/index.ts";
import { type Person, people, rows } from "./tracker-rows.ts";

// What the app's own code does, from the request to the mail server.
const smtp = await testSmtp();
const { ask, store, query, queued, tick, work } = await workingApp(service, {
  root: join(import.meta.dirname, ".."),
  email: { provider: "smtp", from: "Tracker <tracker@example.com>", smtpUrl: smtp.url },
});
const as = (person: Person, request: string, body?: Json) => ask(people[person], request, body);

beforeEach(() => store(rows));

/** What is sent by and by: who gets which subject. */
async function mails(): Promise<(readonly [string | undefined, string])[]> {
  const before = smtp.mails.length;
  await work();
  expect(await queued()).toEqual([]);
  // Mails of one request arrive in any order.
  const sent = smtp.mails.slice(before).map(({ to, subject }) => [to[0], subject] as const);
  return sent.sort();
}

function latest() {
  const mail = smtp.mails.at(-1);
  if (mail === undefined) throw new Error("there was no mail");
  return mail;
}

const change = (id: number, data: object) => ({ where: { id }, data: { ...data } });
const adams = { project_id: 1, title: "New" };

describe("a task was assigned", () => {
  const toLeo = [["leo@example.com", "New is yours"]];
  // biome-ignore format: one case a line
  test.each<[string, Person, string, Json, unknown]>([
    ["to somebody, a new one", "adam", "POST /tasks/create", { data: { ...adams, assignee_id: 4 } }, toLeo],
    ["to herself", "adam", "POST /tasks/create", { data: { ...adams, assignee_id: 2 } }, []],
    ["to nobody", "adam", "POST /tasks/create", { data: adams }, []],
    ["to somebody else", "adam", "PUT /tasks/update", change(1, { assignee_id: 3 }), [["mia@example.com", "Task 1 is yours"]]],
    ["to who had it", "adam", "PUT /tasks/update", change(1, { assignee_id: 4, title: "a" }), []],
    ["to nobody any more", "adam", "PUT /tasks/update", change(1, { assignee_id: null }), []],
    ["to a stranger, in vain", "adam", "PUT /tasks/update", change(1, { assignee_id: 7 }), []],
    ["in a list, of which one is refused", "mia", "POST /tasks/create",
      { data: [{ ...adams, assignee_id: 4 }, { ...adams, assignee_id: 7 }, adams] }, toLeo],
    ["by GraphQL", "adam", "mutation { updateTasks(where: { project_id: 1, status: todo }, input: { assignee_id: 3 }) { id } }", null,
      [["mia@example.com", "Task 1 is yours"], ["mia@example.com", "Task 2 is yours"]]],
    ["by an import, which tells nobody", "adam", "PUT /tasks/upsert", { data: { ...adams, reference: "A-1", assignee_id: 3 } }, []],
  ])("%s", async (_, person, request, body, expected) => {
    await as(person, request, body);
    expect(await mails()).toEqual(expected);
  });

  test("the mail says by when", async () => {
    await query("update users set first_name = 'Mia' where id = 3");
    await as("adam", "PUT /tasks/update", change(1, { assignee_id: 3, due_on: "2030-02-01" }));
    await work();
    const { text, from } = latest();
    expect(text).toBe("Dear Mia,\n\nTask 1 was assigned to you. It is due on 2030-02-01.\n");
    expect(from).toBe("tracker@example.com");
  });
});

describe("an invitation", () => {
  const invite = { data: { organisation_id: 1, email: "ben@example.com", role: "admin" } };
  const accept = (person: Person, id = 1) => as(person, `POST /invitations/${id}/accept`);

  test("is good for a week, and goes to whom it invites", async () => {
    expect(await as("ada", "POST /invitations/create", invite)).toMatchObject({ id: 1000 });
    expect(await mails()).toEqual([["ben@example.com", "Acme invites you"]]);
    expect(
      await query(
        "select extract(day from expires_at - created_at)::int as days from invitations where id = 1000",
      ),
    ).toEqual([{ days: 6 }]);
    expect(await accept("ben", 1000)).toEqual({ organisation_id: 1, role: "admin" });
    expect(await as("ben", "GET /tasks/count")).toEqual({ count: 6 });
  });

  test("is taken up once", async () => {
    const answers = await Promise.all([accept("nia"), accept("nia")]);
    expect(answers).toContainEqual({ organisation_id: 1, role: "member" });
    expect(await accept("nia")).toBe("409 INVITATION_USED");
    expect(await query("select count(*)::int from memberships where user_id = 8")).toEqual([{ count: 1 }]);
    expect(await as("nia", "DELETE /memberships/delete", { query: { user_id: 8 } })).toMatchObject({
      deleted_count: 1,
    });
    expect(await accept("nia")).toBe("409 INVITATION_USED");
  });

  test.each<[string, Person, number, string]>([
    ["of somebody else", "mia", 1, "404 NOT_FOUND"],
    ["that there is not", "nia", 99, "404 NOT_FOUND"],
    ["that has expired", "nia", 2, "403 PERMISSION_DENIED"],
    ["without an account", "guest", 1, "401 MISSING_TOKEN"],
  ])("%s is not taken up", async (_, person, id, expected) => {
    expect(await accept(person, id)).toBe(expected);
    expect(await query("select from memberships where user_id in (3, 8)")).toHaveLength(1);
  });
});

test("the digest tells each assignee once what is due", async () => {
  await query("update tasks set due_on = current_date - id::int where id in (1, 3, 6)");
  await query("update tasks set due_on = current_date + 1 where id = 5");
  await tick("digest");
  expect(await mails()).toEqual([["leo@example.com", "2 due today"]]);
  expect(latest().text).toContain("Task 3\nTask 1");
});

import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { exampleApp, expectUpToDate } from "../../../test/support/example-apps.ts";
import { service } from "../generated/index.ts";
import { type Person, people, rows } from "./tracker-rows.ts";

const { ask, store, rowsOf, query } = await exampleApp(service, { root: join(import.meta.dirname, "..") });
const as = (person: Person, request: string, body?: Json) => ask(people[person], request, body);
const all = () => rowsOf("organisations", "memberships", "invitations", "projects", "tasks", "comments");

beforeEach(() => store(rows));

test("what is generated is what the generator makes of the models", () => expectUpToDate("tracker"));

const denied = "403 PERMISSION_DENIED";
const notFound = "404 NOT_FOUND";

describe("who sees which tasks", () => {
  const visible: [Person, number[]][] = [
    ["ada", [1, 2, 3, 4, 6]],
    ["adam", [1, 2, 3, 4, 6]],
    ["mia", [1, 2, 4, 6]],
    ["leo", [1, 2, 3, 4, 6]],
    ["gus", []],
    ["bob", [5]],
    ["ben", [5]],
    ["nia", []],
  ];
  const ids = (found: readonly number[]) => found.map((id) => ({ id }));

  test.each(visible)("%s", async (person, tasks) => {
    const comments = [[1], [3], [5]].flatMap(([task = 0], index) =>
      tasks.includes(task) ? [index + 1] : [],
    );
    expect(await as(person, "GET /tasks/fetch?select_fields=id&order_by=id")).toEqual(ids(tasks));
    expect(await as(person, "GET /tasks/search?search_term=Task&select_fields=id&order_by=id")).toEqual(
      ids(tasks),
    );
    expect(await as(person, "GET /tasks/count")).toEqual({ count: tasks.length });
    expect(await as(person, "GET /tasks/exists?id=5")).toEqual({ exists: tasks.includes(5) });
    expect(await as(person, "GET /tasks/exists?title__like=Task%203")).toEqual({ exists: tasks.includes(3) });
    expect(await as(person, "{ tasks(orderBy: id) { id } }")).toEqual({ tasks: ids(tasks) });
    expect(await as(person, '{ tasks(search: "Task", orderBy: id) { id } }')).toEqual({ tasks: ids(tasks) });
    expect(await as(person, "{ comments(orderBy: id) { id } }")).toEqual({ comments: ids(comments) });
    expect(await as(person, "GET /comments/search?search_term=e&select_fields=id&order_by=id")).toEqual(
      ids(comments.filter((id) => id > 1)),
    );
  });

  test.each(visible)("%s finds those alone by their tags", async (person, tasks) => {
    const [urgent, web] = [[1, 5], [1]].map((tagged) => ids(tagged.filter((id) => tasks.includes(id))));
    expect(await as(person, "GET /tasks/fetch?tags__contains=urgent&select_fields=id")).toEqual(urgent);
    expect(await as(person, "GET /tasks/fetch?tags__overlaps=web,mail&select_fields=id")).toEqual(web);
    expect(await as(person, '{ tasks(tags: { contains: ["urgent"] }) { id } }')).toEqual({ tasks: urgent });
  });

  test.each(visible)("%s counts and adds up those alone", async (person, tasks) => {
    const hours = { 1: 5, 3: 8, 5: 100 };
    const sum = Object.entries(hours).reduce(
      (total, [id, of]) => total + (tasks.includes(Number(id)) ? of : 0),
      0,
    );
    const document = "{ tasks_aggregate { count sum { estimate_hours } } }";
    expect(await as(person, document)).toEqual({
      tasks_aggregate: [{ count: tasks.length, sum_estimate_hours: sum === 0 ? null : sum }],
    });
  });

  test("joins go no further", async () => {
    const document = `{ organisations(orderBy: id) {
      name
      memberships(orderBy: id) { user { first_name } }
      projects(orderBy: id) { name tasks(orderBy: id) { id comments { body } } }
    } }`;
    const names = (...of: readonly string[]) =>
      of.map((name) => ({ user: { first_name: `${name}@example.com` } }));
    expect(await as("mia", document)).toEqual({
      organisations: [
        {
          name: "Acme",
          memberships: names("ada", "adam", "mia", "leo"),
          projects: [
            {
              name: "Open",
              tasks: [
                { id: 1, comments: [{ body: "Soon" }] },
                { id: 2, comments: [] },
                { id: 6, comments: [] },
              ],
            },
            { name: "Old", tasks: [{ id: 4, comments: [] }] },
          ],
        },
      ],
    });
    expect(await as("ben", document)).toMatchObject({
      organisations: [{ name: "Bolt", projects: [{ name: "Bolted", tasks: [{ id: 5 }] }] }],
    });
    expect(await as("gus", document)).toEqual({ organisations: [] });
  });

  test("guests see nothing", async () => {
    for (const request of [
      "GET /tasks/fetch",
      "GET /tasks/count",
      "GET /organisations/fetch",
      "{ tasks { id } }",
    ])
      expect(await as("guest", request)).toBe(denied);
  });

  test("nobody sees an organisation that is deleted, or its tasks", async () => {
    expect(await as("ada", "DELETE /organisations/delete", { ids: [1] })).toMatchObject({ deleted_count: 1 });
    for (const person of ["ada", "mia"] as const) {
      expect(await as(person, "GET /tasks/count")).toEqual({ count: 0 });
      expect(await as(person, "GET /comments/count")).toEqual({ count: 0 });
    }
    expect(await as("mia", "PATCH /organisations/restore", change(1, { name: "Acme" }))).toBe(denied);
  });
});

/** Who asks for what, and what comes of it: `true` is done. */
type Attempt = [Person, string, Json, true | string];

async function attempt([person, request, body, outcome]: Attempt): Promise<void> {
  const before = await all();
  const answer = await as(person, request, body);
  if (outcome === true) expect(answer).toBeTypeOf("object");
  else expect([answer, await all()]).toEqual([outcome, before]);
}

const titled = (list: readonly Attempt[]) =>
  list.map(
    (each) =>
      [
        `${each[0]}: ${each[1]} ${JSON.stringify(each[2])} ${each[3] === true ? "is done" : each[3]}`,
        each,
      ] as const,
  );

const create = "POST /tasks/create";
const update = "PUT /tasks/update";
const fresh = (project_id: number, more: object = {}) => ({ data: { project_id, title: "New", ...more } });
const change = (id: number, data: object) => ({ where: { id }, data: { ...data } });

describe("tasks", () => {
  test.each(
    titled([
      ["mia", create, fresh(1), true],
      ["mia", create, fresh(1, { assignee_id: 4 }), true],
      ["mia", create, fresh(1, { reporter_id: 4 }), denied],
      ["mia", create, fresh(1, { reporter_id: 3 }), denied],
      ["mia", create, fresh(2), denied],
      ["leo", create, fresh(2), true],
      ["mia", create, fresh(3), denied],
      ["mia", create, fresh(4), denied],
      ["mia", create, fresh(1, { assignee_id: 7 }), denied],
      ["mia", create, fresh(1, { assignee_id: 5 }), denied],
      ["gus", create, fresh(1), denied],
      ["ben", create, fresh(1), denied],
      ["guest", create, fresh(1), denied],
      ["mia", 'mutation { createTasks(input: { project_id: 1, title: "a" }) { id } }', null, true],
      ["ben", 'mutation { createTasks(input: { project_id: 1, title: "a" }) { id } }', null, denied],
    ]),
  )("new: %s", (_, each) => attempt(each));

  test.each(
    titled([
      ["adam", update, change(3, { title: "a", status: "done" }), true],
      ["adam", update, change(1, { assignee_id: 3 }), true],
      ["adam", update, change(1, { assignee_id: 7 }), denied],
      ["adam", update, change(1, { project_id: 4 }), denied],
      ["adam", update, change(4, { title: "a" }), denied],
      ["adam", update, change(1, { project_id: 3 }), denied],
      ["leo", update, change(1, { status: "review", title: "a" }), true],
      ["leo", update, change(1, { status: "done" }), denied],
      ["leo", update, change(6, { status: "todo" }), denied],
      ["leo", update, change(1, { assignee_id: 3 }), denied],
      ["leo", update, change(2, { title: "a" }), denied],
      ["mia", update, change(2, { title: "a" }), true],
      ["mia", update, change(2, { status: "doing" }), denied],
      ["mia", update, change(1, { title: "a" }), denied],
      ["mia", update, change(3, { title: "a" }), denied],
      ["leo", update, change(1, { project_id: 2 }), true],
      ["mia", update, change(2, { project_id: 2 }), denied],
      ["bob", update, change(1, { title: "a" }), denied],
      ["ben", update, change(5, { title: "a" }), true],
      ["gus", update, { where: { project_id: 1 }, data: { title: "a" } }, notFound],
      ["adam", update, { where: { title__like: "Task" }, data: { title: "a" } }, denied],
      ["leo", 'mutation { updateTasks(where: { id: 1 }, input: { status: "doing" }) { id } }', null, true],
      ["bob", 'mutation { updateTasks(where: { id: 1 }, input: { status: "doing" }) { id } }', null, denied],
    ]),
  )("change: %s", (_, each) => attempt(each));

  test("an assignee moves a task between projects that they see", async () => {
    await as("adam", update, change(1, { assignee_id: 3 }));
    await attempt(["mia", update, change(1, { project_id: 2 }), denied]);
    await as("adam", update, change(3, { assignee_id: 3 }));
    await attempt(["mia", update, change(3, { title: "a" }), denied]);
    await attempt(["mia", update, change(1, { title: "a" }), true]);
  });

  test.each(
    titled([
      ["mia", "DELETE /tasks/delete", { ids: [2] }, true],
      ["mia", "DELETE /tasks/delete", { ids: [1] }, denied],
      ["mia", "DELETE /tasks/delete", { ids: [2, 5] }, denied],
      ["adam", "DELETE /tasks/delete", { ids: [1, 3] }, true],
      ["bob", "DELETE /tasks/delete", { ids: [1] }, denied],
      ["adam", "DELETE /tasks/destroy", { ids: [1] }, denied],
      ["bob", "mutation { deleteTasks(ids: [1]) { id } }", null, denied],
    ]),
  )("removal: %s", (_, each) => attempt(each));

  test("a task names who made it, and a comment who wrote it", async () => {
    expect(await as("leo", create, fresh(1))).toMatchObject({ reporter_id: 4 });
    expect(await as("leo", "POST /comments/create", { data: { task_id: 1, body: "Hm" } })).toMatchObject({
      author_id: 4,
    });
  });

  test("a bulk takes what is allowed and says what is not", async () => {
    const data = [fresh(1).data, fresh(4).data, fresh(2).data, fresh(1, { assignee_id: 4 }).data];
    expect(await as("mia", create, { data })).toMatchObject({
      inserted_count: 2,
      failed_count: 2,
      failed_records: [{ index: 1 }, { index: 2 }],
    });
    const before = await all();
    expect(await as("ben", create, { data: data.slice(0, 1) })).toBe("400 VALIDATION_ERROR");
    expect(await all()).toEqual(before);
  });

  test("an upsert finds the rows of its own organisation, and changes no others", async () => {
    const sent = (project_id: number) => ({ data: { project_id, reference: "A-1", title: "Imported" } });
    const before = await all();
    expect(await as("bob", "PUT /tasks/upsert", sent(1))).toBe(denied);
    expect(await as("mia", "PUT /tasks/upsert", sent(1))).toBe(denied);
    expect(await all()).toEqual(before);
    expect(await as("adam", "PUT /tasks/upsert", sent(1))).toEqual({ id: 1 });
    expect(await as("bob", "PUT /tasks/upsert", sent(4))).toEqual({ id: 5 });
    expect(await query("select title, reporter_id from tasks where reference = 'A-1' order by id")).toEqual([
      { title: "Imported", reporter_id: "3" },
      { title: "Imported", reporter_id: "7" },
    ]);
  });

  test("what a manager deleted, a manager brings back", async () => {
    await as("adam", "DELETE /tasks/delete", { ids: [1] });
    const restore = change(1, { title: "Again" });
    for (const person of ["mia", "leo", "bob"] as const)
      expect(await as(person, "PATCH /tasks/restore", restore)).toBe(denied);
    expect(await as("ada", "PATCH /tasks/restore", restore)).toMatchObject({ restored_count: 1 });
  });
});

describe("comments", () => {
  const say = (task_id: number, more: object = {}) => ({ data: { task_id, body: "Hm", ...more } });
  test.each(
    titled([
      ["mia", "POST /comments/create", say(1), true],
      ["mia", "POST /comments/create", say(3), denied],
      ["mia", "POST /comments/create", say(4), denied],
      ["mia", "POST /comments/create", say(1, { author_id: 4 }), denied],
      ["ben", "POST /comments/create", say(1), denied],
      ["mia", "PUT /comments/update", change(1, { body: "a" }), true],
      ["mia", "PUT /comments/update", change(1, { task_id: 5 }), denied],
      ["mia", "PUT /comments/update", change(1, { task_id: 3 }), denied],
      ["mia", "PUT /comments/update", change(1, { task_id: 4 }), denied],
      ["mia", "PUT /comments/update", change(1, { task_id: 2 }), true],
      ["adam", "PUT /comments/update", change(1, { body: "a" }), denied],
      ["ben", "PUT /comments/update", change(3, { body: "too late" }), denied],
      ["adam", "DELETE /comments/delete", { ids: [1] }, true],
      ["leo", "DELETE /comments/delete", { ids: [1] }, denied],
      ["bob", "DELETE /comments/delete", { query: { body: "Soon" } }, notFound],
    ]),
  )("%s", (_, each) => attempt(each));
});

describe("organisations and their members", () => {
  const join = (organisation_id: number, user_id: number, role: string) => ({
    data: { organisation_id, user_id, role },
  });
  // biome-ignore format: one case a line
  test.each(
    titled([
      ["ada", "POST /memberships/create", join(1, 7, "owner"), true],
      ["adam", "POST /memberships/create", join(1, 7, "member"), true],
      ["adam", "POST /memberships/create", join(1, 7, "admin"), denied],
      ["mia", "POST /memberships/create", join(1, 7, "member"), denied],
      ["ben", "POST /memberships/create", join(1, 7, "member"), denied],
      ["gus", "POST /memberships/create", join(1, 5, "member"), denied],
      ["nia", "POST /memberships/create", join(1, 8, "member"), true],
      ["nia", "POST /memberships/create", join(1, 8, "owner"), denied],
      ["nia", "POST /memberships/create", join(1, 8, "admin"), denied],
      ["nia", "POST /memberships/create", join(1, 7, "member"), denied],
      ["nia", "POST /memberships/create", join(2, 8, "member"), denied],
      ["mia", "PUT /memberships/update", change(3, { role: "owner" }), denied],
      ["adam", "PUT /memberships/update", change(3, { role: "admin" }), denied],
      ["ada", "PUT /memberships/update", change(3, { role: "owner" }), true],
      ["ada", "PUT /memberships/update", change(1, { role: "member" }), denied],
      ["ada", "PUT /memberships/update", change(3, { organisation_id: 2 }), denied],
      ["bob", "PUT /memberships/update", change(3, { role: "member" }), denied],
      ["mia", "DELETE /memberships/delete", { ids: [3] }, true],
      ["mia", "DELETE /memberships/delete", { ids: [4] }, denied],
      ["adam", "DELETE /memberships/delete", { ids: [3, 4] }, true],
      ["adam", "DELETE /memberships/delete", { ids: [1] }, denied],
      ["ada", "DELETE /memberships/delete", { ids: [1] }, denied],
      ["bob", "DELETE /memberships/delete", { query: { user_id: 3 } }, notFound],
      ["ada", "PUT /memberships/upsert", join(1, 7, "owner"), denied],
      ["ada", "PUT /organisations/update", change(1, { name: "Acme Ltd" }), true],
      ["ada", "PUT /organisations/update", change(1, { plan: "team" }), denied],
      ["admin", "PUT /organisations/update", change(1, { plan: "team" }), true],
      ["mia", "PUT /organisations/update", change(1, { name: "Mine" }), denied],
      ["bob", "PUT /organisations/update", change(1, { name: "Mine" }), denied],
      ["adam", "DELETE /organisations/delete", { ids: [1] }, denied],
      ["bob", "DELETE /organisations/delete", { ids: [1] }, denied],
      ["adam", "POST /projects/create", { data: { organisation_id: 1, name: "a", lead_id: 3 } }, true],
      ["adam", "POST /projects/create", { data: { organisation_id: 1, name: "a", lead_id: 7 } }, denied],
      ["adam", "POST /projects/create", { data: { organisation_id: 2, name: "a" } }, denied],
      ["mia", "POST /projects/create", { data: { organisation_id: 1, name: "a" } }, denied],
      ["adam", "PUT /projects/update", change(1, { organisation_id: 2 }), denied],
      ["adam", "PUT /projects/update", change(2, { lead_id: 5 }), denied],
      ["adam", "DELETE /projects/delete", { ids: [1] }, denied],
      ["mia", "{ invitations { id } }", null, true],
      ["mia", "POST /invitations/create", { data: { organisation_id: 1, email: "a@example.com", expires_at: "2000-01-01" } }, denied],
      ["adam", "POST /invitations/create", { data: { organisation_id: 1, email: "a@example.com", expires_at: "2000-01-01" } }, true],
      ["adam", "POST /invitations/create", { data: { organisation_id: 1, email: "a@example.com", expires_at: "2999-01-01" } }, denied],
      ["bob", "DELETE /invitations/delete", { ids: [1] }, denied],
      ["nia", "DELETE /invitations/delete", { ids: [1] }, true],
    ]),
  )("%s", (_, each) => attempt(each));

  test("whoever makes an organisation is its owner", async () => {
    expect(await as("nia", "POST /organisations/create", { data: { name: "Nova" } })).toMatchObject({
      name: "Nova",
    });
    expect(await as("nia", "{ organisations { name memberships { role user { id } } } }")).toEqual({
      organisations: [{ name: "Nova", memberships: [{ role: "owner", user: { id: 8 } }] }],
    });
    await query("update users set is_active = false where id = 8");
    expect(await as("nia", "POST /organisations/create", { data: { name: "Again" } })).toBe(denied);
  });

  test("an invitation is taken up once", async () => {
    const join = { data: { organisation_id: 1, user_id: 8, role: "member" } };
    expect(await as("nia", "GET /invitations/count")).toEqual({ count: 2 });
    expect(await as("nia", "POST /memberships/create", join)).toMatchObject({ role: "member" });
    expect(await as("nia", "GET /tasks/count")).toEqual({ count: 4 });
    await as("ada", "DELETE /memberships/delete", { query: { user_id: 8 } });
    expect(await as("nia", "GET /tasks/count")).toEqual({ count: 0 });
    expect(await as("nia", "POST /memberships/create", join)).toBe(denied);
  });

  test("of two owners who leave at the same time one stays", async () => {
    await as("ada", "PUT /memberships/update", change(3, { role: "owner" }));
    const leave = [
      as("ada", "DELETE /memberships/delete", { ids: [1] }),
      as("mia", "DELETE /memberships/delete", { ids: [3] }),
    ];
    const left = (await Promise.all(leave)).filter((answer) => answer !== denied);
    expect(left).toHaveLength(1);
    expect(
      await query(
        "select count(*)::int as n from memberships where organisation_id = 1 and role = 'owner' and deleted_at is null",
      ),
    ).toEqual([{ n: 1 }]);
  });
});

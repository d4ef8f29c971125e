import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { and, ne, not } from "#runtime/access/index";
import { watchedDatabase } from "../support/watched-database.ts";
import { expectEnvelope } from "./support/envelope.ts";
import { found, type Rules, tenantWorld } from "./support/tenants.ts";
import { type Request, token, type World } from "./support/world.ts";

/** Rules that lead to rows of the own table, and are true of a project that is not there. */
const rules = {
  unshut: and(ne("parent.title", "closed"), not(found("project", ne("status", "open")))),
  unbanned: and(ne("parent.title", "closed"), not(found("project.organisation.bans"))),
  deep: not(found("parent.project", ne("status", "open"))),
} satisfies Rules;

type Role = keyof typeof rules;

const rows = `
  insert into users (id) values (1);
  insert into organisations (id) values (1), (2);
  insert into bans (organisation_id, user_id) values (2, 1);
  insert into projects (id, organisation_id, status) values (1, 1, 'open'), (2, 2, 'shut');
  insert into tasks (id, project_id, code, title) values (1, 1, 't1', 'open'), (3, 1, 't3', 'z'), (5, 1, 't5', 'z'), (7, 1, 't7', 'z');
  update tasks set parent_id = 1 where id > 1;
  select setval(pg_get_serial_sequence(name, 'id'), 100) from unnest(array['projects', 'tasks']) as name;
`;

const arrivals = {
  project: "insert into projects (id, organisation_id, status) values (500, 2, 'shut')",
  task: "insert into tasks (id, project_id) values (500, 2)",
};

/** What runs once the records of a bulk were judged apart, before they are written. */
const isJudging = /_admitted then _unseen|target\.unseen/;

describe("a bulk of which the database refuses a record is judged by one statement and written by another", () => {
  let world: World;
  let between: string | null = null;
  let judged = 0;

  beforeAll(async () => {
    world = await tenantWorld(
      { tasks: rules },
      {
        watch: (database) =>
          watchedDatabase(database, (connection) => async (statement, values) => {
            const result = await connection.run(statement, values);
            if (isJudging.test(statement.text)) {
              judged++;
              if (between !== null) await world.db.query(between);
            }
            return result;
          }),
      },
    );
  });

  beforeEach(async () => {
    [between, judged] = [null, 0];
    await world.db.query("truncate users cascade");
    await world.db.query(rows);
  });

  /** Of three records one is a duplicate, one has the key, and one is good. */
  const bulks = (role: Role): [string, Request, string][] => {
    const key = role === "deep" ? { parent_id: 500 } : { project_id: 500 };
    const child = { project_id: 1, parent_id: 1 };
    const create = [
      { ...child, code: "t3" },
      { ...child, code: "new", ...key },
      { ...child, code: "good" },
    ];
    const update = [
      { id: 3, code: "t5" },
      { id: 5, ...key },
      { id: 7, title: "good" },
    ];
    const request = { token: token(role, "1") };
    return [
      [
        `${role}, create`,
        { ...request, method: "POST", path: "/tasks/create", body: { data: create } },
        "code",
      ],
      [
        `${role}, update`,
        { ...request, method: "PUT", path: "/tasks/update", body: { data: update } },
        "title",
      ],
    ];
  };

  describe.each((["unshut", "unbanned", "deep"] as const).flatMap(bulks))("%s", (way, request, written) => {
    const field = way.startsWith("deep") ? "parent_id" : "project_id";

    it.each([
      ["comes to be between both", true],
      ["does not exist", false],
    ])("a parent that %s", async (_, comes) => {
      if (comes) between = arrivals[field === "parent_id" ? "task" : "project"];
      const reply = await world.send(request);
      expectEnvelope(reply, request);
      expect(judged).toBe(1);
      expect(
        reply.json.data.failed_records.map((failed) => [failed["index"], failed["error"], failed["field"]]),
        reply.text,
      ).toEqual([
        [0, "VALIDATION_ERROR", "code"],
        [1, "VALIDATION_ERROR", field],
      ]);
      expect(await world.db.query(`select from tasks where ${field} = 500`)).toEqual([]);
      expect(await world.db.query(`select from tasks where ${written} = 'good'`)).toHaveLength(1);
    });
  });

  it.each<[string, string, string, object]>([
    ["create", "POST", "create", { data: { code: "new", parent_id: 1, project_id: 500 } }],
    ["bulk create", "POST", "create", { data: [{ code: "new", parent_id: 1, project_id: 500 }] }],
    ["upsert, new", "PUT", "upsert", { data: { code: "new", parent_id: 1, project_id: 500 } }],
    ["upsert", "PUT", "upsert", { data: { code: "t5", project_id: 500 } }],
    ["update", "PUT", "update", { where: { id: 5 }, data: { project_id: 500 } }],
    ["bulk update", "PUT", "update", { data: [{ id: 5, project_id: 500 }] }],
  ])("%s: a parent that does not exist at all is 400", async (way, method, operation, body) => {
    for (const role of ["unshut", "unbanned"] as const) {
      const request = { token: token(role, "1"), method, path: `/tasks/${operation}`, body };
      const reply = await world.send(request);
      expectEnvelope(reply, request);
      const { details } = JSON.parse(reply.text);
      const failed = way.startsWith("bulk") ? details.failed_records : [details];
      expect([reply.status, failed], reply.text).toEqual([
        400,
        [expect.objectContaining({ field: "project_id" })],
      ]);
    }
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { type ExplainedTracker, explainedTracker } from "./tracker.ts";

let tracker: ExplainedTracker;

beforeAll(async () => {
  tracker = await explainedTracker();
});

describe("kirak explain without a row", () => {
  it("prints rules with file and line, the whole condition, fields, rate limit and hooks", async () => {
    expect(await tracker.printed({ subject: "comments.delete", as: "user:4" })).toMatchInlineSnapshot(`
      "comments.delete for user 4 (role user)
      rules
        models/models.json:384  signed_in  author_id = {user_id} AND created_at > now() - interval '15 minutes' AND member(task.project.organisation)
        models/models.json:388  signed_in  manager(task.project.organisation)
        together: (author_id = {user_id} AND created_at > now() - interval '15 minutes' AND member(task.project.organisation)) OR manager(task.project.organisation)
      fields
        reads: id, task_id, author_id, body, created_at, updated_at, deleted_at
        writes: task_id, body
      rate limit: 100 requests in 60 seconds per ip
      hooks: none
      allowed
      "
    `);
    expect(await tracker.printed({ subject: "organisations.update", as: "admin" })).toMatchInlineSnapshot(`
      "organisations.update for the role admin
      rules
        models/models.json:58  signed_in  manager()
        models/models.json:61  admin      all rows
        together: all rows
      fields
        reads: id, name, plan, created_at, updated_at, deleted_at
        writes: name, plan
      rate limit: 100 requests in 60 seconds per ip
      hooks: none
      allowed
      "
    `);
    expect(await tracker.printed({ subject: "tasks.create", as: "user" })).toMatchInlineSnapshot(`
      "tasks.create for the role user
      rules
        models/models.json:300  signed_in  project.archived = false AND reader(project) AND (assignee_id IS NULL OR EXISTS (project.organisation.memberships WHERE user_id = this.assignee_id))
        together: project.archived = false AND reader(project) AND (assignee_id IS NULL OR EXISTS (project.organisation.memberships WHERE user_id = this.assignee_id))
      fields
        reads: id, project_id, reference, title, status, tags, estimate_hours, due_on, reporter_id, assignee_id, created_at, updated_at, deleted_at
        writes: project_id, reference, title, status, tags, estimate_hours, due_on, assignee_id
      rate limit: 100 requests in 60 seconds per ip
      hooks: after_create (models/hooks/tasks.ts)
      allowed
      "
    `);
    expect(await tracker.printed({ subject: "projects.destroy" })).toMatchInlineSnapshot(`
      "projects.destroy for a guest
      rules
        together: no rows
      fields
        reads: id, organisation_id, name, lead_id, visibility, archived, created_at, updated_at, deleted_at
        writes: organisation_id, name, lead_id, visibility, archived
      rate limit: 100 requests in 60 seconds per ip
      hooks: none
      refused: 403 PERMISSION_DENIED, no rule for a guest: it is denied to all
      "
    `);
  });

  it("prints both sets of rules of an upsert", async () => {
    const { rules } = await tracker.asked({ subject: "tasks.upsert", as: "user" });
    expect(rules.map(({ about, rules: each }) => [about, each.length])).toEqual([
      ["new rows", 1],
      ["existing rows", 3],
    ]);
  });
});

describe("kirak explain with rows", () => {
  it("prints each part of each rule with the values that it compared", async () => {
    expect(await tracker.printed({ subject: "tasks.fetch", as: "user:5", id: "1" })).toMatchInlineSnapshot(`
      "tasks.fetch for user 5 (role user)
      row 1
        models/models.json:288 for signed_in: false
          reader(project)                                                       false
            EXISTS (project.organisation.memberships WHERE user_id = {user_id} AND (this.project.visibility = 'organisation' OR user_id = this.project.lead_id OR role IN ('owner', 'admin')))  false  0 of 4 rows matched
              row 1: user_id = {user_id}                                        false  user_id is 1, {user_id} is 5
              row 2: user_id = {user_id}                                        false  user_id is 2, {user_id} is 5
              row 3: user_id = {user_id}                                        false  user_id is 3, {user_id} is 5
              row 4: user_id = {user_id}                                        false  user_id is 4, {user_id} is 5
        not found: no rule holds for the row
      not found: no rule holds for the row
      "
    `);
    expect(await tracker.printed({ subject: "tasks.delete", as: "user:3", id: "1" })).toMatchInlineSnapshot(`
      "tasks.delete for user 3 (role user)
      row 1
        models/models.json:320 for signed_in: false
          manager(project.organisation)                                         false
            EXISTS (project.organisation.memberships WHERE user_id = {user_id} AND role IN ('owner', 'admin'))  false  0 of 4 rows matched
              row 1: user_id = {user_id}                                        false  user_id is 1, {user_id} is 3
              row 2: user_id = {user_id}                                        false  user_id is 2, {user_id} is 3
              row 3: role IN ('owner', 'admin')                                 false  role is 'member'
              row 4: user_id = {user_id}                                        false  user_id is 4, {user_id} is 3
                     role IN ('owner', 'admin')                                 false  role is 'member'
        models/models.json:324 for signed_in: false
          AND                                                                   false
            reporter_id = {user_id}                                             true   reporter_id is 3, {user_id} is 3
            NOT                                                                 false
              EXISTS (comments)                                                 true   1 of 1 row matched
            member(project.organisation)                                        true
              EXISTS (project.organisation.memberships WHERE user_id = {user_id})  true   1 of 4 rows matched
                row 1: user_id = {user_id}                                      false  user_id is 1, {user_id} is 3
                row 2: user_id = {user_id}                                      false  user_id is 2, {user_id} is 3
                row 4: user_id = {user_id}                                      false  user_id is 4, {user_id} is 3
        refused: 403 PERMISSION_DENIED, no rule holds
      refused: 403 PERMISSION_DENIED, no rule holds
      "
    `);
  });

  it("prints the row before and after a change, and a new row", async () => {
    const change = { subject: "organisations.update", as: "user:4", id: "1", data: '{"name":"A"}' };
    expect(await tracker.printed(change)).toMatchInlineSnapshot(`
      "organisations.update for user 4 (role user)
      row 1
        before the change
          models/models.json:58 for signed_in: false
            manager()                                                           false
              EXISTS (memberships WHERE user_id = {user_id} AND role IN ('owner', 'admin'))  false  0 of 4 rows matched
                row 1: user_id = {user_id}                                      false  user_id is 1, {user_id} is 4
                row 2: user_id = {user_id}                                      false  user_id is 2, {user_id} is 4
                row 3: user_id = {user_id}                                      false  user_id is 3, {user_id} is 4
                       role IN ('owner', 'admin')                               false  role is 'member'
                row 4: role IN ('owner', 'admin')                               false  role is 'member'
        after the change
          models/models.json:58 for signed_in: false
            manager()                                                           false
              EXISTS (memberships WHERE user_id = {user_id} AND role IN ('owner', 'admin'))  false  0 of 4 rows matched
                row 1: user_id = {user_id}                                      false  user_id is 1, {user_id} is 4
                row 2: user_id = {user_id}                                      false  user_id is 2, {user_id} is 4
                row 3: user_id = {user_id}                                      false  user_id is 3, {user_id} is 4
                       role IN ('owner', 'admin')                               false  role is 'member'
                row 4: role IN ('owner', 'admin')                               false  role is 'member'
        refused: 403 PERMISSION_DENIED, no rule holds before the change
      refused: 403 PERMISSION_DENIED, no rule holds before the change
      "
    `);
    const creation = { subject: "comments.create", as: "user:6", data: '{"task_id":1,"body":"x"}' };
    expect(await tracker.printed(creation)).toMatchInlineSnapshot(`
      "comments.create for user 6 (role user)
      new row
        models/models.json:372 for signed_in: false
          AND                                                                   false
            task.project.archived = false                                       true   task.project.archived is false
            reader(task.project)                                                false
              EXISTS (task.project.organisation.memberships WHERE user_id = {user_id} AND (this.task.project.visibility = 'organisation' OR user_id = this.task.project.lead_id OR role IN ('owner', 'admin')))  false  0 of 4 rows matched
                row 1: user_id = {user_id}                                      false  user_id is 1, {user_id} is 6
                row 2: user_id = {user_id}                                      false  user_id is 2, {user_id} is 6
                row 3: user_id = {user_id}                                      false  user_id is 3, {user_id} is 6
                row 4: user_id = {user_id}                                      false  user_id is 4, {user_id} is 6
        refused: 403 PERMISSION_DENIED, no rule holds
      refused: 403 PERMISSION_DENIED, no rule holds
      "
    `);
  });

  it("answers each row of a filter", async () => {
    const request = { subject: "tasks.delete", as: "user:3", where: '{"status":"todo"}' };
    const { rows, answer } = await tracker.asked(request);
    expect(rows.map(({ id, answer: { text } }) => [id, text])).toMatchInlineSnapshot(`
      [
        [
          "1",
          "refused: 403 PERMISSION_DENIED, no rule holds",
        ],
        [
          "2",
          "allowed",
        ],
        [
          "3",
          "not found: the caller can neither change nor fetch the row",
        ],
        [
          "5",
          "not found: the caller can neither change nor fetch the row",
        ],
      ]
    `);
    expect(answer.text).toBe("refused: 403 PERMISSION_DENIED, no rule holds (3 of 4 rows)");
  });

  it("prints at most 20 rows, and counts all", async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `(${100 + index}, 1, 'Many', 3)`);
    await tracker.service.query(
      `insert into tasks (id, project_id, title, reporter_id) values ${rows.join(", ")}`,
    );
    const request = { subject: "tasks.fetch", as: "user:6", where: '{"title":"Many"}' };
    const { rows: shown, more_rows, answer } = await tracker.asked(request);
    await tracker.service.query("delete from tasks where title = 'Many'");
    expect([shown.length, more_rows]).toEqual([20, 10]);
    expect(answer.text).toBe("not found: no rule holds for the row (30 of 30 rows)");
  });
});

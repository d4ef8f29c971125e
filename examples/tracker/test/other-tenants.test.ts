import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  exampleApp,
  expectGone,
  expectUnseen,
  expectUnwritten,
  type Target,
} from "../../../test/support/example-apps.ts";
import { service } from "../generated/index.ts";
import { type Person, people, rows } from "./tracker-rows.ts";

const { ask, store, rowsOf, query } = await exampleApp(service, { root: join(import.meta.dirname, "..") });
const by = (person: Person) => (request: string, body?: Parameters<typeof ask>[2]) =>
  ask(people[person], request, body);
const tables = ["organisations", "memberships", "invitations", "projects", "tasks", "comments"] as const;
const all = () => rowsOf(...tables);

beforeEach(() => store(rows));

interface Ids extends Readonly<Record<(typeof tables)[number], number>> {}

/** A row of each model of one organisation, and what somebody tries whose account is `user`. */
const targetsOf = (ids: Ids, user: number): Target[] => {
  const inOrganisation = { organisation_id: ids.organisations };
  const invited = { ...inOrganisation, email: "x@example.com", expires_at: "2026-12-01T00:00:00Z" };
  const task = { project_id: ids.projects, title: "Mine" };
  const comment = { task_id: ids.tasks, body: "Mine" };
  const name = { name: "Mine" };
  return [
    { model: "organisations", id: ids.organisations, term: "o", data: null, change: name },
    {
      model: "memberships",
      id: ids.memberships,
      term: "e",
      data: { ...inOrganisation, user_id: user },
      change: { user_id: user },
    },
    {
      model: "invitations",
      id: ids.invitations,
      term: "e",
      data: invited,
      change: { email: "x@example.com" },
    },
    { model: "projects", id: ids.projects, term: "e", data: { ...inOrganisation, ...name }, change: name },
    { model: "tasks", id: ids.tasks, term: "Task", data: task, change: { title: "Mine", assignee_id: user } },
    { model: "comments", id: ids.comments, term: "o", data: comment, change: { body: "Mine" } },
  ];
};

const acme = { organisations: 1, memberships: 3, invitations: 1, projects: 1, tasks: 1, comments: 1 };
const secret = { ...acme, memberships: 4, projects: 2, tasks: 3, comments: 2 };
const bolt = { organisations: 2, memberships: 7, invitations: 2, projects: 4, tasks: 5, comments: 3 };

describe.each<[string, Ids, readonly Person[]]>([
  ["Acme", acme, ["bob", "ben", "gus", "guest"]],
  ["what is private of Acme", secret, ["bob", "ben", "gus", "guest"]],
  ["Bolt", bolt, ["ada", "adam", "mia", "leo", "gus", "guest"]],
])("of %s", (_, ids, outsiders) => {
  describe.each(outsiders)("%s", (person) => {
    const user = Number(people[person]?.sub ?? 0);
    const targets = targetsOf(ids, user).map((target) => [target.model, target] as const);

    test.each(targets)("finds no %s and changes none", async (_model, target) => {
      const before = await all();
      await expectUnseen(target, by(person));
      await expectUnwritten(target, by(person));
      expect(await all()).toEqual(before);
    });

    test("brings none back that is deleted", async () => {
      for (const table of tables) await query(`update ${table} set deleted_at = now()`);
      const before = await all();
      for (const [, target] of targets) await expectGone(target, by(person));
      expect(await all()).toEqual(before);
    });
  });
});

test("members find these rows by the same requests", async () => {
  for (const [ids, person] of [
    [acme, "mia"],
    [secret, "leo"],
    [bolt, "bob"],
  ] as const) {
    const user = Number(people[person].sub);
    for (const target of targetsOf(ids, user).filter(({ model }) => model !== "invitations"))
      await expect(expectUnseen(target, by(person))).rejects.toThrow();
  }
});

import { beforeAll, expect, test } from "vitest";
import { and, caller, defineCondition, eq, not, or } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import {
  call,
  children,
  model,
  modelService,
  mounted,
  parent,
  policyOf,
  type Request,
  rulesFor,
  sameRules,
  sender,
  token,
} from "../support/model-service.ts";
import { watchedDatabase } from "../support/watched-database.ts";

const teams = model(
  "teams",
  { name: "string" },
  { relations: { memberships: children("memberships", "team_id") } },
);
const memberships = model(
  "memberships",
  { team_id: "int64", user_id: "int64" },
  { relations: { team: parent("teams", "team_id") } },
);
const projects = model(
  "projects",
  { team_id: "int64", open: "boolean" },
  { relations: { team: parent("teams", "team_id"), tasks: children("tasks", "project_id") } },
);
const tasks = model(
  "tasks",
  { project_id: "int64", title: "string" },
  { relations: { project: parent("projects", "project_id") } },
);

// `exists` checks names only inside a policy of a known model.
const exists = (path: string, where: Condition): Condition => ({ op: "exists", path, where });
const mine: Condition = eq("user_id", caller.user_id);
const member = defineCondition<Model>(exists("memberships", mine));
const either = defineCondition<Model>(or(eq("open", true), member("team")));
const operations = "fetch count create update delete";

/** The rules with calls, and written out. */
const rules = {
  called: {
    tasks: rulesFor(operations, { user: or(eq("title", "all"), either("project")) }),
    projects: rulesFor(operations, { user: and(member("team"), not(exists("tasks", member("this.team")))) }),
    teams: rulesFor(operations, { user: member() }),
  },
  written: {
    tasks: rulesFor(operations, {
      user: or(eq("title", "all"), eq("project.open", true), exists("project.team.memberships", mine)),
    }),
    projects: rulesFor(operations, {
      user: and(
        exists("team.memberships", mine),
        not(exists("tasks", exists("this.team.memberships", mine))),
      ),
    }),
    teams: rulesFor(operations, { user: exists("memberships", mine) }),
  },
};

async function service(form: keyof typeof rules) {
  const sent: string[] = [];
  const served = [
    mounted(tasks, policyOf(rules[form].tasks)),
    mounted(projects, policyOf(rules[form].projects)),
    mounted(teams, policyOf(rules[form].teams)),
    mounted(memberships, sameRules({ "*": true })),
  ];
  const world = await modelService(served, {
    sql: `insert into teams (name) values ('a'); insert into memberships (team_id, user_id) values (1, 1);
      insert into projects (team_id, open) values (1, false), (1, true); insert into tasks (project_id, title) values (1, 't');`,
    watch: (database) =>
      watchedDatabase(database, (connection) => (statement, values) => {
        sent.push(statement.text);
        return connection.run(statement, values);
      }),
  });
  return { send: sender(world, token("user")), sent };
}

let called: Awaited<ReturnType<typeof service>>;
let written: Awaited<ReturnType<typeof service>>;
beforeAll(async () => {
  [called, written] = await Promise.all([service("called"), service("written")]);
});

const graphql = (query: string): Request => call("POST /graphql", { query });

// biome-ignore format: one case a line
test.each<[string, Request, number]>([
  ["a list", call("GET /tasks/fetch"), 200],
  ["a list of the model in `on`", call("GET /teams/fetch"), 200],
  ["`this` inside EXISTS", call("GET /projects/fetch"), 200],
  ["a count", call("GET /tasks/count"), 200],
  ["a create", call("POST /tasks/create", { data: { project_id: 1, title: "new" } }), 200],
  ["an update, with its locks", call("PUT /tasks/update", { where: { id: 1 }, data: { title: "b" } }), 200],
  ["an update under NOT EXISTS", call("PUT /projects/update", { where: { id: 2 }, data: { open: false } }), 200],
  ["a delete", call("DELETE /tasks/delete", { ids: [1] }), 200],
  ["a query with a join", graphql("{ tasks { id project { id team { id } } } }"), 200],
])("%s sends the statements of the written-out rule", async (_, request, status) => {
  const texts = async ({ send, sent }: typeof called) => {
    sent.length = 0;
    const reply = await send(request);
    expect(reply.status, reply.text).toBe(status);
    return sent.filter((text) => /\b(?:tasks|projects|teams)\b/.test(text));
  };
  const expected = await texts(written);
  expect(expected).not.toEqual([]);
  expect(await texts(called)).toEqual(expected);
});

import type pg from "pg";
import { type Plan, selectCount, selectPage } from "#runtime/data/sql/index";
import { builtInUsers } from "#runtime/data/users/index";
import { grantOf } from "#runtime/models/access/index";
import { columnsOf, type Model } from "#runtime/models/index";
import { memberships, organisations, projects, taskPolicy, tasks } from "../servers/tracker-models.ts";
import { firstTasks, newestTasks, type RuleRole, taskCount } from "../servers/tracker-statements.ts";

const models: ReadonlyMap<string, Model> = new Map<string, Model>(
  [organisations, memberships, projects, tasks, builtInUsers].map((model) => [model.key, model]),
);

/** The same question as the service asks it, and as it is written by hand. */
export interface Pair {
  readonly name: string;
  readonly path: string;
  readonly kirak: (userId: string) => pg.QueryConfig;
  readonly plain: (userId: string) => pg.QueryConfig;
}

/** What is asked under the rule of a role. */
export function pairsOf(role: RuleRole): Pair[] {
  const grant = grantOf(taskPolicy.fetch, { role, user_id: "1" });
  if (grant === null) throw new Error(`there is no rule for ${role}`);
  const rows = { model: tasks, models, filters: [], scope: grant.scope, searchIn: [] };
  const page = { ...rows, columns: [...columnsOf(tasks).keys()], limit: 10, offset: 0, total: false };
  const newest = selectPage({ ...page, orderBy: "created_at", descending: true });
  const first = selectPage({ ...page, orderBy: "id", descending: false });
  const ask = (name: string, plan: Plan, values: readonly number[]) => (userId: string) => ({
    name: `${role}-${name}-kirak`,
    text: plan.statement.text,
    values: [...plan.bind(values, { user_id: userId, role, email: null })],
  });
  return [
    {
      name: "ten newest",
      path: "/tasks/fetch?order_by=created_at&order=DESC&limit=10",
      kirak: ask("newest", newest, [10, 0]),
      plain: (userId) => newestTasks(role, userId),
    },
    {
      name: "first ten",
      path: "/tasks/fetch?limit=10",
      kirak: ask("first", first, [10, 0]),
      plain: (userId) => firstTasks(role, userId),
    },
    {
      name: "count",
      path: "/tasks/count",
      kirak: ask("count", selectCount(rows), []),
      plain: (userId) => taskCount(role, userId),
    },
  ];
}

import type { Json } from "#vocabulary/json";
import { account } from "./accounts.ts";
import type { Sent } from "./request.ts";
import { firedHooks } from "./scenarios.ts";
import type { Rows, Stored, TestService } from "./service.ts";
import { type Caller, claimsOf, signed } from "./service-token.ts";

/** A request whose sender matters: with a good token it is answered, and leaves something behind. */
export interface CredentialRequest {
  readonly name: string;
  readonly as: Exclude<Caller, null>;
  readonly sent: Sent;
  /** Whether rows change. */
  readonly writes: boolean;
  /** Whether hooks of its model run. */
  readonly isHooked: boolean;
}

const gone = "2026-01-01T00:00:00Z";
const uuid = (last: number) => `0a000000-0000-4000-8000-00000000000${last}`;
const admin = "admin";
const seven = { role: "user", sub: "7" };

/** What the tables hold before each of them. */
// biome-ignore format: several rows a line
export const given: Rows = {
  users: [account(7)],
  tasks: [{ id: 1, title: "one", user: 7, list: "l", position: 1 }, { id: 2, title: "gone", user: 7, deleted_at: gone }],
  hooked: [{ id: 1, name: "one", number: 1, code: "c" }, { id: 2, name: "gone", number: 1, code: "c", deleted_at: gone }],
  people: [{ id: 1, name: "one" }],
  owners: [{ id: uuid(1), user_id: 7 }],
  pets: [{ id: 1, name: "one", owner_id: uuid(1) }],
  visits: [{ id: uuid(2), code: "a" }],
};

const reading = (name: string, path: string, as: CredentialRequest["as"] = admin): CredentialRequest => ({
  name,
  as,
  sent: { method: "GET", path },
  writes: false,
  isHooked: path.startsWith("/hooked/"),
});

const writing = (
  name: string,
  line: string,
  body: Json,
  as: CredentialRequest["as"] = admin,
): CredentialRequest => {
  const [method = "", path = ""] = line.split(" ");
  return { name, as, sent: { method, path, body }, writes: true, isHooked: /^.(hooked|owners)/.test(path) };
};

/** Each operation on a model with a title or name, as `as`. `first` and `deleted` are ids. */
function operationsOn(slug: string, field: "title" | "name", as: CredentialRequest["as"], more: object = {}) {
  const said = `${slug}, ${typeof as === "string" ? as : as.role}:`;
  const record = (value: string) => ({ [field]: value, ...more });
  return [
    reading(`${said} fetch`, `/${slug}/fetch`, as),
    reading(`${said} fetch of a page`, `/${slug}/fetch?page=1&limit=1`, as),
    reading(`${said} search`, `/${slug}/search?search_term=one`, as),
    writing(`${said} create`, `POST /${slug}/create`, { data: record("new") }, as),
    writing(`${said} bulk create`, `POST /${slug}/create`, { data: [record("a"), record("b")] }, as),
    writing(`${said} update`, `PUT /${slug}/update`, { where: { id: 1 }, data: { [field]: "x" } }, as),
    writing(`${said} bulk update`, `PUT /${slug}/update`, { data: [{ id: 1, [field]: "x" }] }, as),
    writing(`${said} upsert`, `PUT /${slug}/upsert`, { data: record("upserted") }, as),
    writing(`${said} upsert by id`, `PUT /${slug}/upsert`, { data: { id: 1, ...record("x") } }, as),
    writing(`${said} delete`, `DELETE /${slug}/delete`, { where: { id: 1 } }, as),
    writing(`${said} delete by ids`, `DELETE /${slug}/delete`, { ids: [1] }, as),
    writing(`${said} destroy`, `DELETE /${slug}/destroy`, { ids: [1] }, as),
    writing(
      `${said} restore`,
      `PATCH /${slug}/restore`,
      { where: { id: 2 }, data: { deleted_at: null } },
      as,
    ),
  ];
}

/** Over REST: each operation without hooks and with them; conditions, relations, presets and passwords. */
export const restRequests: readonly CredentialRequest[] = [
  ...operationsOn("tasks", "title", admin),
  ...operationsOn("tasks", "title", seven, { user: 7 }),
  reading("tasks: count", "/tasks/count"),
  reading("tasks: exists", "/tasks/exists?title=one"),
  ...operationsOn("hooked", "name", admin, { code: "c", number: 1 }),
  // A condition over a relation, and what is locked for it.
  reading("a relation: fetch", "/pets/fetch", seven),
  writing("a relation: create", "POST /pets/create", { data: { name: "new", owner_id: uuid(1) } }, seven),
  writing("a relation: update", "PUT /pets/update", { where: { id: 1 }, data: { name: "x" } }, seven),
  writing("a relation: delete", "DELETE /pets/delete", { ids: [1] }, seven),
  // Only an after-hook.
  writing("an after-hook: create", "POST /owners/create", { data: { user_id: 7 } }),
  // What the caller's row says, and who the caller is.
  writing("presets: create", "POST /stamped/create", { data: { title: "new" } }, seven),
  writing("presets: upsert", "PUT /visits/upsert", { data: { code: "a", owner: 1 } }),
  // A password.
  writing("a password: create", "POST /people/create", { data: { name: "new", secret: "a password" } }),
  writing("a password: bulk create", "POST /people/create", {
    data: [{ name: "new", secret: "a password" }],
  }),
  writing("a password: update", "PUT /people/update", { where: { id: 1 }, data: { secret: "a password" } }),
  writing("a password: upsert", "PUT /people/upsert", { data: { id: 1, name: "one", secret: "a password" } }),
];

const asking = (name: string, query: string, as: CredentialRequest["as"] = admin): CredentialRequest => ({
  name: `GraphQL: ${name}`,
  as,
  sent: { method: "POST", path: "/graphql", body: { query } },
  writes: query.startsWith("mutation"),
  isHooked: /\{ hooked|createHooked|} hooked/.test(query),
});

/** Over GraphQL: lists, aggregates, several root fields, what needs no statement, and each mutation. */
// biome-ignore format: one case a line
export const graphqlRequests: readonly CredentialRequest[] = [
  asking("a list", "{ tasks { id title } }"),
  asking("a list of a user", "{ tasks { id title } }", seven),
  asking("a search", '{ tasks(search: "one") { id } }'),
  asking("a list with hooks", "{ hooked { id name } }"),
  asking("a join", "{ owners { id pets { id name } } }"),
  asking("an aggregate", "{ tasks_aggregate { count } }"),
  asking("several roots", "{ tasks { id } hooked { id } tasks_aggregate { count } }"),
  asking("one root by two names", "{ a: tasks { id } b: tasks { title } }"),
  asking("__typename", "{ __typename }"),
  asking("__typename and a list", "{ __typename tasks { id } }"),
  asking("create", 'mutation { createTasks(input: { title: "new" }) { id } }'),
  asking("create with hooks", 'mutation { createHooked(input: { name: "new", code: "c" }) { id } }'),
  asking("create with a password", 'mutation { createPeople(input: { name: "new", secret: "a password" }) { id } }'),
  asking("create with presets", 'mutation { createStamped(input: { title: "new" }) { id } }', seven),
  asking("update", 'mutation { updateTasks(where: { id: { eq: 1 } }, input: { title: "x" }) { id } }'),
  asking("upsert", 'mutation { upsertTasks(input: { title: "one", project: "p" }) { id } }'),
  asking("delete", "mutation { deleteTasks(ids: [1]) { id } }"),
  asking("destroy", "mutation { destroyTasks(ids: [1]) { id } }"),
  asking("restore", "mutation { restoreTasks(where: { id: { eq: 2 } }, input: { deleted_at: null }) { id } }"),
  asking("several mutations", 'mutation { a: createTasks(input: { title: "a" }) { id } b: createHooked(input: { name: "b", code: "c" }) { id } }'),
];

export const requests: readonly CredentialRequest[] = [...restRequests, ...graphqlRequests];

/** The request of that name. Throws if it does not exist. */
export function requestOf(name: string): CredentialRequest {
  const found = requests.find((request) => request.name === name);
  if (found === undefined) throw new Error(`there is no request called ${name}`);
  return found;
}

/** A token that was revoked, with its row of the blacklist, and another one of the same caller that was not. */
export interface TokenPair {
  readonly revoked: string;
  readonly good: string;
  readonly row: Stored;
}

/** `revoked` is good until its row is stored. */
export function tokenPair(as: Exclude<Caller, null>): TokenPair {
  const claims = claimsOf(as);
  const expires_at = new Date(Number(claims["exp"]) * 1000).toISOString();
  return { revoked: signed(claims), good: signed(claimsOf(as)), row: { jti: claims["jti"], expires_at } };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** All that a request may leave behind: rows of all tables but those of limits and jobs, and hooks that ran. */
export interface Traces {
  readonly rows: readonly string[];
  readonly hooks: readonly string[];
}

/** Looks at all tables of a service. */
export async function tracesIn({ query }: Pick<TestService, "query">): Promise<() => Promise<Traces>> {
  const tables = await query(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kirak%'",
  );
  const each = tables.map(({ name }) => `SELECT '${name} ' || to_jsonb(t)::text AS row FROM "${name}" AS t`);
  const text = `${each.join(" UNION ALL ")} ORDER BY row`;
  return async () => ({ rows: (await query(text)).map(({ row }) => String(row)), hooks: firedHooks() });
}

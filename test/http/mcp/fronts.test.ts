import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { isJsonObject } from "#vocabulary/json";
import { requestOf, type Sent } from "../../support/request.ts";
import type { Caller } from "../../support/service-token.ts";
import { callOf, connected, notebook, rows } from "./mcp-service.ts";

const service = await notebook();

type Body = { readonly [key: string]: Json };

/** The same question to each API. */
interface Question {
  readonly rest: Sent;
  /** Null for a question that GraphQL does not have. */
  readonly graphql: string | null;
  readonly tool: string;
  readonly args: Body;
}

const query = (line: string, body?: Body) => requestOf(line, body);

const questions: Question[] = [
  {
    rest: query("GET /notes/fetch?state=done&order_by=title&select_fields=id,title"),
    graphql: '{ notes(state: { eq: "done" }, order_by: title) { id title } }',
    tool: "notes_fetch",
    args: { where: { state: "done" }, order_by: "title", select: ["id", "title"] },
  },
  {
    rest: query("GET /notes/fetch?weight__gte=2&select_fields=id,verdict"),
    graphql: "{ notes(weight: { gte: 2 }) { id verdict } }",
    tool: "notes_fetch",
    args: { where: { weight: { gte: 2 } }, select: ["id", "verdict"] },
  },
  {
    rest: query("GET /notes/fetch?verdict=dull&select_fields=id"),
    graphql: '{ notes(verdict: "dull") { id } }',
    tool: "notes_fetch",
    args: { where: { verdict: "dull" }, select: ["id"] },
  },
  {
    rest: query("GET /notes/count?state=done"),
    graphql: null,
    tool: "notes_count",
    args: { where: { state: "done" } },
  },
  { rest: query("GET /notes/exists?id=4"), graphql: null, tool: "notes_exists", args: { where: { id: 4 } } },
  {
    rest: query("GET /notes/search?search_term=in&select_fields=id"),
    graphql: '{ notes(search: "in") { id } }',
    tool: "notes_search",
    args: { search_term: "in", select: ["id"] },
  },
];

const writes: Question[] = [
  {
    rest: query("POST /notes/create", { data: { title: "x", weight: 9 } }),
    graphql: 'mutation { createNotes(input: { title: "x", weight: 9 }) { id } }',
    tool: "notes_create",
    args: { data: { title: "x", weight: 9 } },
  },
  {
    rest: query("POST /notes/create", { data: { title: "x", weight: 10 } }),
    graphql: 'mutation { createNotes(input: { title: "x", weight: 10 }) { id } }',
    tool: "notes_create",
    args: { data: { title: "x", weight: 10 } },
  },
  {
    rest: query("POST /notes/create", { data: { title: "x", verdict: "y" } }),
    graphql: 'mutation { createNotes(input: { title: "x", verdict: "y" }) { id } }',
    tool: "notes_create",
    args: { data: { title: "x", verdict: "y" } },
  },
  {
    rest: query("PUT /notes/update", { where: { id: 4 }, data: { weight: 2 } }),
    graphql: "mutation { updateNotes(where: { id: 4 }, input: { weight: 2 }) { id } }",
    tool: "notes_update",
    args: { id: 4, data: { weight: 2 } },
  },
  {
    rest: query("PUT /notes/update", { where: { state: "done" }, data: { weight: 2 } }),
    graphql: 'mutation { updateNotes(where: { state: "done" }, input: { weight: 2 }) { id } }',
    tool: "notes_update",
    args: { where: { state: "done" }, data: { weight: 2 }, confirm: true },
  },
  {
    rest: query("PUT /tags/upsert", { data: { word: "home" } }),
    graphql: 'mutation { upsertTags(input: { word: "home" }) { id } }',
    tool: "tags_upsert",
    args: { data: { word: "home" } },
  },
  {
    rest: query("PUT /tags/upsert", { data: { word: "away" } }),
    graphql: 'mutation { upsertTags(input: { word: "away" }) { id } }',
    tool: "tags_upsert",
    args: { data: { word: "away" } },
  },
  ...[1, 2, 5].map((id) => ({
    rest: query("DELETE /notes/delete", { ids: [id] }),
    graphql: `mutation { deleteNotes(ids: [${id}]) { id } }`,
    tool: "notes_delete",
    args: { ids: [id], confirm: true },
  })),
  {
    rest: query("DELETE /notes/delete", { where: { state: "done" } }),
    graphql: 'mutation { deleteNotes(where: { state: "done" }) { id } }',
    tool: "notes_delete",
    args: { where: { state: "done" }, confirm: true },
  },
  {
    rest: query("DELETE /notes/destroy", { ids: [2] }),
    graphql: "mutation { destroyNotes(ids: [2]) { id } }",
    tool: "notes_destroy",
    args: { ids: [2], confirm: true },
  },
];

const callers: readonly Caller[] = [null, { role: "user", sub: "1" }, { role: "user", sub: "2" }, "staff"];

const casesOf = (list: readonly Question[]) =>
  callers.flatMap((caller) =>
    list.map((question) => ({
      caller,
      question,
      name: JSON.stringify(caller),
      args: JSON.stringify(question.args),
    })),
  );

/** An answer with its error, which is undefined for a success. */
type Answer = { readonly error: Json | undefined; readonly body: unknown };

async function askRest({ rest }: Question, caller: Caller): Promise<Answer> {
  const { data, error } = (await service.send(rest, caller)).envelope;
  return { error, body: data };
}

async function askGraphql({ graphql }: Question, caller: Caller): Promise<Answer> {
  const { envelope } = await service.send(query("POST /graphql", { query: graphql }), caller);
  const { data, error } = envelope;
  return { error, body: isJsonObject(data) ? Object.values(data)[0] : undefined };
}

/** A tool that the caller does not have counts as refused. */
async function askMcp({ tool, args }: Question, caller: Caller): Promise<Answer> {
  const client = await connected(service, caller);
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === tool)) return { error: "PERMISSION_DENIED", body: undefined };
  const answer = await callOf(client, tool, args);
  const { error } = answer;
  return {
    error: typeof error === "string" ? error : undefined,
    body: "rows" in answer ? answer["rows"] : answer,
  };
}

test.each(casesOf(questions))(
  "$name reads the same by $question.tool of $args",
  async ({ caller, question }) => {
    const rest = await askRest(question, caller);
    const mcp = await askMcp(question, caller);
    expect(mcp.error).toBe(rest.error);
    if (rest.error === undefined) expect(mcp.body).toEqual(rest.body);
    if (question.graphql === null) return;
    const graphql = await askGraphql(question, caller);
    expect(graphql.error).toBe(rest.error);
    if (rest.error === undefined) expect(graphql.body).toEqual(rest.body);
  },
);

/** What is stored. New rows have another id each time. */
async function stored() {
  return {
    notes: await service.query(
      `SELECT CASE WHEN id < 1000 THEN id END AS id, title, state, weight, amount, more, verdict, owner_id, tag_id,
        deleted_at IS NULL AS live FROM notes ORDER BY title`,
    ),
    tags: await service.query("SELECT word FROM tags ORDER BY word"),
  };
}

test.each(casesOf(writes))(
  "$name writes the same by $question.tool of $args",
  async ({ caller, question }) => {
    const before = await reset();
    const outcomes = [];
    for (const ask of [askRest, askGraphql, askMcp]) {
      await reset();
      const { error } = await ask(question, caller);
      outcomes.push({ error, stored: await stored() });
    }
    const [rest, ...others] = outcomes;
    expect(others).toEqual([rest, rest]);
    if (rest?.error !== undefined) expect(rest.stored).toEqual(before);
  },
);

async function reset() {
  await service.store(rows);
  return stored();
}

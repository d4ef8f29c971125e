import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { isJsonObject } from "#vocabulary/json";
import { requestOf, type Sent } from "../../support/request.ts";
import type { Caller } from "../../support/service-token.ts";
import { callOf, connected, notebook } from "./mcp-service.ts";

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
  {
    rest: query("POST /notes/create", { data: { title: "x", weight: 10 } }),
    graphql: 'mutation { createNotes(input: { title: "x", weight: 10 }) { id } }',
    tool: "notes_create",
    args: { data: { title: "x", weight: 10 } },
  },
  {
    rest: query("PUT /notes/update", { where: { id: 4 }, data: { weight: 2 } }),
    graphql: "mutation { updateNotes(where: { id: 4 }, input: { weight: 2 }) { id } }",
    tool: "notes_update",
    args: { id: 4, data: { weight: 2 } },
  },
  {
    rest: query("DELETE /notes/delete", { ids: [1] }),
    graphql: "mutation { deleteNotes(ids: [1]) { id } }",
    tool: "notes_delete",
    args: { ids: [1] },
  },
];

const callers: readonly Caller[] = [null, { role: "user", sub: "1" }, { role: "user", sub: "2" }, "staff"];

test.each(
  callers.flatMap((caller) =>
    questions.map((question) => ({ caller, question, name: JSON.stringify(caller) })),
  ),
)("$name gets the same of $question.tool", async ({ caller, question }) => {
  const rest = await service.send(question.rest, caller);
  const { data, error } = rest.envelope;
  await service.query("UPDATE notes SET deleted_at = NULL");
  const client = await connected(service, caller);
  const { tools } = await client.listTools();
  if (!tools.some(({ name }) => name === question.tool)) {
    expect(error).toBe("PERMISSION_DENIED");
    return;
  }
  const answer = await callOf(client, question.tool, question.args);
  if (answer["error"] === "CONFIRMATION_REQUIRED") {
    expect(error).toBeUndefined();
    return;
  }
  expect(answer["error"]).toBe(error);
  if (error === undefined) expect("rows" in answer ? answer["rows"] : answer).toEqual(data);
  if (question.graphql === null) return;
  const reply = await service.send(query("POST /graphql", { query: question.graphql }), caller);
  expect(reply.envelope.error).toBe(error);
  const found = isJsonObject(reply.envelope.data) ? Object.values(reply.envelope.data)[0] : undefined;
  if ("rows" in answer) expect(found).toEqual(answer["rows"]);
});

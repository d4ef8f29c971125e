import { join } from "node:path";
import { expect } from "vitest";
import { generate } from "#generator/pipeline/generate";
import type { Service } from "#runtime/index";
import { isJsonObject, type Json } from "#vocabulary/json";
import { anyService, type Rows, type Settings, type TestService } from "./any-service.ts";
import { type ServiceQueue, serviceQueue } from "./queue.ts";
import type { Caller } from "./service-token.ts";

/** What a request is answered: `data`, or status and error. */
export type Answer = Json | string;

/** An app of `examples/`, played over HTTP. */
export interface ExampleApp {
  /** Empties all tables, then stores these rows. */
  store(rows: Rows): Promise<void>;
  /** Sends `GET /tasks/fetch` and the like, or a GraphQL document. */
  ask(as: Caller, request: string, body?: Json): Promise<Answer>;
  /** All rows of some tables. */
  rowsOf(...tables: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  query: TestService["query"];
}

/** Serves an app on a database of its own until the file is over. */
export async function exampleApp(served: Service, settings: Settings = {}): Promise<ExampleApp> {
  return played(await anyService(served, settings));
}

/** The same for an app whose code sends jobs, mails or text messages: they wait until a test has them run. */
export async function workingApp(
  served: Service,
  settings: Settings = {},
): Promise<ExampleApp & ServiceQueue> {
  const service = await anyService(served, settings);
  const queue = await serviceQueue(served, service);
  const app = played(service);
  return {
    ...app,
    ...queue,
    async store(rows) {
      await app.store(rows);
      await queue.empty();
    },
  };
}

function played({ send, store, query }: TestService): ExampleApp {
  return {
    store,
    query,
    async ask(as, request, body) {
      const [, method, path] = /^([A-Z]+) (\S+)$/.exec(request) ?? [];
      const reply = await (method === undefined || path === undefined
        ? send({ method: "POST", path: "/graphql", body: { query: request } }, as)
        : send({ method, path, body }, as));
      return reply.status === 200 ? reply.envelope.data : `${reply.status} ${reply.envelope.error}`;
    },
    async rowsOf(...tables) {
      const each = tables.map((table) => `(select json_agg(t order by id) from "${table}" t) as "${table}"`);
      const [rows = {}] = await query(`select ${each.join(", ")}`);
      return rows;
    },
  };
}

/** Checks that what is generated of an example is what the generator makes of its models, and that its lint has no findings. */
export async function expectUpToDate(name: string): Promise<void> {
  const { problems, diagnostics } = await generate({
    root: join(import.meta.dirname, "..", "..", "examples", name),
    models: "models/models.json",
    manifest: "models/manifest.json",
    out: "generated",
    mode: "check",
    force: false,
    accepted: [],
    rebase: [],
    base: null,
    compile: false,
  });
  expect(problems).toEqual([]);
  expect(diagnostics).toEqual([]);
}

/** A row of another tenant, and what a user outside that tenant tries to do with it. */
export interface Target {
  readonly model: string;
  readonly id: number;
  /** Text of a searchable field of it. */
  readonly term: string;
  /** A new row of that tenant; null if everyone can create one. */
  readonly data: Readonly<Record<string, string | number>> | null;
  readonly change: Readonly<Record<string, string | number>>;
  /** Whether everybody may read it. */
  readonly isPublic?: boolean;
}

/** Sends a request as a user. */
export type Ask = (request: string, body?: Json) => Promise<Answer>;

/** Values of enums, which GraphQL writes without quotes. */
const enumValues = new Set(["approved"]);

function literal(fields: Readonly<Record<string, string | number>>): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}: ${enumValues.has(String(value)) ? value : JSON.stringify(value)}`,
  );
  return `{ ${shown.join(", ")} }`;
}

const typeOf = (model: string) => model.charAt(0).toUpperCase() + model.slice(1);

/** By each operation that reads, over REST and GraphQL, the row is not there. */
export async function expectUnseen({ model, id, term, isPublic }: Target, ask: Ask): Promise<void> {
  if (isPublic === true) return;
  const filter = `id: { eq: ${id} }`;
  const nothing: readonly (readonly [string, Json])[] = [
    [`GET /${model}/fetch?id=${id}`, []],
    [`GET /${model}/search?search_term=${term}&id=${id}`, []],
    [`GET /${model}/count?id=${id}`, { count: 0 }],
    [`GET /${model}/exists?id=${id}`, { exists: false }],
    [`{ ${model}(${filter}) { id } }`, { [model]: [] }],
    [`{ ${model}(${filter}, search: "${term}") { id } }`, { [model]: [] }],
    [`{ ${model}_aggregate(${filter}) { count } }`, { [`${model}_aggregate`]: [{ count: 0 }] }],
    [`{ ${model}_aggregate(${filter}, groupBy: [id]) { id count } }`, { [`${model}_aggregate`]: [] }],
  ];
  for (const [request, empty] of nothing) {
    const answer = await ask(request);
    // Who may not read the model at all learns nothing either.
    expect([request, answer === denied ? empty : answer]).toEqual([request, empty]);
  }
}

/** By each operation that writes, over REST and GraphQL, single and bulk, it is refused. */
export async function expectUnwritten(target: Target, ask: Ask): Promise<void> {
  for (const [request, body] of writes(target)) {
    const isBulk = isJsonObject(body) && Array.isArray(body["data"]);
    const answer = await ask(request, body);
    const isRefused = [denied, isBulk ? "400 VALIDATION_ERROR" : "404 NOT_FOUND"].includes(String(answer));
    expect([request, body, isRefused ? "refused" : answer]).toEqual([request, body, "refused"]);
  }
}

/** Only its tenant can restore a row that it has deleted. */
export async function expectGone({ model, id, change }: Target, ask: Ask): Promise<void> {
  const restore = { where: { id }, data: { ...change } };
  const attempts: readonly (readonly [string, Json])[] = [
    [`PATCH /${model}/restore`, restore],
    [`PATCH /${model}/restore`, { ...restore, data: { deleted_at: null } }],
    [`mutation { restore${typeOf(model)}(where: { id: ${id} }, input: ${literal(change)}) { id } }`, null],
  ];
  for (const [request, body] of attempts)
    expect([request, await ask(request, body)]).toEqual([request, denied]);
}

function writes({ model, id, data, change }: Target): readonly (readonly [string, Json])[] {
  const type = typeOf(model);
  const known = { id, ...(data ?? change) };
  const made: readonly (readonly [string, Json])[] =
    data === null
      ? []
      : [
          [`POST /${model}/create`, { data: { ...data } }],
          [`POST /${model}/create`, { data: [{ ...data }] }],
          [`mutation { create${type}(input: ${literal(data)}) { id } }`, null],
        ];
  return [
    ...made,
    [`PUT /${model}/update`, { where: { id }, data: { ...change } }],
    [`PUT /${model}/update`, { data: [{ id, ...change }] }],
    [`PUT /${model}/upsert`, { data: known }],
    [`DELETE /${model}/delete`, { ids: [id] }],
    [`DELETE /${model}/delete`, { query: { id } }],
    [`DELETE /${model}/destroy`, { ids: [id] }],
    [`PATCH /${model}/restore`, { where: { id }, data: { ...change } }],
    [`mutation { update${type}(where: { id: ${id} }, input: ${literal(change)}) { id } }`, null],
    [`mutation { upsert${type}(input: ${literal(known)}) { id } }`, null],
    [`mutation { delete${type}(ids: [${id}]) { id } }`, null],
    [`mutation { delete${type}(where: { id: ${id} }) { id } }`, null],
    [`mutation { destroy${type}(ids: [${id}]) { id } }`, null],
  ];
}

const denied = "403 PERMISSION_DENIED";

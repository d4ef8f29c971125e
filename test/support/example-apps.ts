import { join } from "node:path";
import { expect } from "vitest";
import { generate } from "#generator/pipeline/generate";
import type { Service } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { anyService, type Rows, type Settings, type TestService } from "./any-service.ts";
import { type ServiceQueue, serviceQueue } from "./service-queue.ts";
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

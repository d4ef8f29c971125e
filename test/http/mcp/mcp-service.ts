import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import type { Service } from "#runtime/index";
import { isJsonObject, type JsonObject } from "#vocabulary/json";
import { apiKey } from "../../support/accounts.ts";
import {
  anyService,
  type Peers,
  type Rows,
  type Settings,
  type TestService,
} from "../../support/any-service.ts";
import { type Caller, tokenOf } from "../../support/service-token.ts";

const generated = join(import.meta.dirname, "app", "generated");

/** An API key of account 1. */
export const assistant = apiKey(1, { id: 1 });

/** Accounts 1 (of notes 1 to 3) and 2 (of notes 4 and 5). */
export const rows: Rows = {
  users: [1, 2].map((id) => ({ id, email: `u${id}@example.com`, password: "x", role: "user" })),
  auth_tokens: [assistant.row],
  tags: [{ id: 1, word: "home" }],
  notes: [
    {
      id: 1,
      title: "milk",
      owner_id: 1,
      weight: 3,
      amount: "9007199254740993",
      verdict: "dull",
      tag_id: 1,
    },
    { id: 2, title: "bread", owner_id: 1, state: "done" },
    { id: 3, title: "tea", owner_id: 1, state: "done" },
    { id: 4, title: "ink", owner_id: 2 },
    { id: 5, title: "paper", owner_id: 2, state: "done" },
  ],
};

/** The service of `app/`, with `rows`. */
export async function notebook(settings: Settings = {}, peers: Peers = {}): Promise<TestService> {
  // Not a literal: the app registers its own types, and the fixture of the other tests registers others.
  const { service }: { service: Service } = await import(join(generated, "index.ts"));
  const started = await anyService(
    service,
    { name: "notebook", mcp: { instructions: "Notes belong to their owners." }, ...settings },
    peers,
  );
  await started.store(rows);
  return started;
}

export const owner = { role: "user", sub: "1" } as const;

/** A form that was filled in. */
type Filled = {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, boolean>;
};

type Fill = (message: string) => Filled | Promise<Filled>;

/** A client of 2026. `fill` fills in forms; without it the client has none. */
export function connected(service: TestService, caller: Caller, fill: Fill | null = null): Promise<Client> {
  return connectedWith(service, caller === null ? {} : { authorization: `Bearer ${tokenOf(caller)}` }, fill);
}

/** The same with headers of a credential. */
export async function connectedWith(
  { origin }: TestService,
  headers: Record<string, string>,
  fill: Fill | null = null,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: fill === null ? {} : { elicitation: {} },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  if (fill !== null)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { action, content } = await fill(params.message);
      return { action, ...(content !== undefined && { content }) };
    });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

/** What a tool answers: its structured content, in which errors have `error`. */
export async function callOf(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<JsonObject> {
  const { structuredContent, content } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  expect(JSON.parse(text)).toEqual(structuredContent);
  return isJsonObject(structuredContent) ? structuredContent : {};
}

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import type { TestService } from "../../support/any-service.ts";
import { tokenOf } from "../../support/service-token.ts";
import { notebook, owner } from "./mcp-service.ts";

/** A client of 2025. */
async function former(service: TestService): Promise<Client> {
  const client = new Client({ name: "former", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  const requestInit = { headers: { authorization: `Bearer ${tokenOf(owner)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

test("clients of 2025 list, call, confirm and read", async () => {
  const service = await notebook({ rateLimit: { enabled: true } });
  const client = await former(service);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("notes_delete");
  const call = async (args: Record<string, unknown>) =>
    (await client.callTool({ name: "notes_delete", arguments: args })).structuredContent;
  expect(await call({ ids: [2] })).toMatchObject({ error: "CONFIRMATION_REQUIRED", details: { rows: 1 } });
  expect(await call({ ids: [2], confirm: true })).toMatchObject({ deleted_count: 1 });
  const { contents } = await client.readResource({ uri: "kirak://models" });
  expect(contents).toMatchObject([
    { mimeType: "text/markdown", text: expect.stringContaining("`notes`: fetch") },
  ]);
});

test("no value of a row ends the event of an answer", async () => {
  const service = await notebook();
  const client = await former(service);
  const title = "\n\nevent: message\ndata: {}";
  // A column of the type json keeps the line breaks between tokens.
  await service.query("ALTER TABLE notes ALTER COLUMN more TYPE json");
  await service.query("UPDATE notes SET title = $1, more = $2 WHERE id = 1", [
    title,
    '{\n\n"event":\r\n"message\\n\\ndata: {}"}',
  ]);
  const { structuredContent } = await client.callTool({
    name: "notes_fetch",
    arguments: { where: { id: 1 }, select: ["title", "more"] },
  });
  expect(structuredContent).toEqual({
    rows: [{ title, more: { event: "message\n\ndata: {}" } }],
    has_more: false,
  });
});

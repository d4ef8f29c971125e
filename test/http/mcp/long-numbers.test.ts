import { expect, test } from "vitest";
import { message } from "./mcp-message.ts";
import { notebook, owner } from "./mcp-service.ts";

const service = await notebook();

/** A call with the JSON of its arguments, of a client that shows forms; `of2025` is one without a version in its body. */
async function callWith(name: string, args: string, of2025 = false): Promise<string> {
  const { headers, body, ...sent } = message("tools/call", { name, arguments: {} }, { elicitation: {} });
  const former = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } };
  const reply = await service.send(
    {
      ...sent,
      headers: {
        "content-type": "application/json",
        ...headers,
        ...(of2025 && { "mcp-protocol-version": "2025-11-25" }),
      },
      body: JSON.stringify(of2025 ? former : body).replace('"arguments":{}', `"arguments":${args}`),
    },
    owner,
  );
  return reply.text;
}

test("long numbers in arguments are exact for models, and refused for code that uses doubles", async () => {
  const call = async (name: string, args: string) => JSON.parse(await callWith(name, args));
  const made = await call("notes_create", '{"data":{"title":"long","amount":9007199254740993}}');
  expect(made.result.structuredContent).toMatchObject({ amount: "9007199254740993" });
  const where = '"where":{"title":"long","amount":9007199254740993}';
  const found = await call("notes_count", `{${where}}`);
  expect(found.result.structuredContent).toEqual({ count: 1 });
  const form = await call("notes_update", `{${where},"data":{"weight":2}}`);
  expect(form.result).toMatchObject({ resultType: "input_required" });
  expect(await callWith("notes_count", `{${where}}`, true)).toContain('"structuredContent":{"count":1}');
  await service.query("DELETE FROM notes WHERE title = 'long'");
  const refused = await call("count_tree", '{"body":{"label":"x","children":[{"label":9007199254740993}]}}');
  expect(refused.result.structuredContent).toMatchObject({
    error: "VALIDATION_ERROR",
    details: { field: "body.children.0.label" },
  });
  // A double holds this one.
  const held = await call("finish_note", '{"params":{"id":1},"body":{"reason":9007199254740992}}');
  expect(held.result.structuredContent).toMatchObject({ details: { field: "body.reason" } });
  expect((await call("notes_count", "9007199254740993")).error).toMatchObject({ code: -32602 });
});

test("long numbers in results are exact", async () => {
  await service.query("UPDATE notes SET more = '{\"long\": 9007199254740993}' WHERE id = 1");
  for (const params of [
    { name: "notes_fetch", arguments: { where: { id: 1 }, select: ["more"] } },
    { name: "count_tree", arguments: { body: {} } },
  ]) {
    const { text } = await service.send(message("tools/call", params), owner);
    // In the structured content, and in the same as text.
    expect(text.match(/9007199254740993\b/g)).toHaveLength(2);
  }
});

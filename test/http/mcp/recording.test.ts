import { expect, test } from "vitest";
import { monitoredService } from "../../support/monitoring.ts";
import { message } from "./mcp-message.ts";
import { assistant, callOf, connected, connectedWith, notebook, owner } from "./mcp-service.ts";

test("each call is recorded, without arguments and results", async () => {
  const service = await monitoredService({}, {}, {}, notebook);
  const client = await connected(service, owner, () => ({ action: "accept", content: { confirm: true } }));
  const guest = await connected(service, null);
  await callOf(guest, "list_words", { query: { begins: "secret" } });
  await callOf(client, "notes_create", { data: { title: "secret".repeat(9) } });
  await callOf(client, "notes_delete", { ids: [2] });
  await callOf(await connected(service, owner, () => ({ action: "cancel" })), "notes_delete", { ids: [3] });
  await callOf(await connected(service, owner), "notes_delete", { ids: [3], confirm: true });
  for (const headers of [{ authorization: `Bearer ${assistant.key}` }, { "x-api-key": assistant.key }])
    await callOf(await connectedWith(service, headers), "notes_count");
  await expect(client.callTool({ name: "secret_tool" })).rejects.toThrow();
  expect((await service.send(message("notifications/cancelled", { requestId: 1 }, {}, null))).status).toBe(
    202,
  );
  // A connection asks once, and a form needs a second request.
  await service.written(1 + 6 + 1 + 1 + 2 + 2 + 1 + 2 + 1);
  const { text } = await service.ask("GET /mcp/calls");
  const calls = JSON.parse(text).data.calls.toReversed();
  const call = (
    tool: string,
    ref: string,
    caller: string,
    status: string,
    code: string | null,
    confirmation: string | null,
  ) => ({
    ...{ server: "notebook", tool, operation_ref: ref, caller, status, error_code: code, confirmation },
    duration_ms: expect.any(Number),
  });
  expect(calls).toMatchObject([
    call("list_words", "GET /words", "guest", "ok", null, null),
    call("notes_create", "notes.create", "user:1", "error", "VALIDATION_ERROR", null),
    call("notes_delete", "notes.delete", "user:1", "asked", null, null),
    call("notes_delete", "notes.delete", "user:1", "ok", null, "accepted"),
    call("notes_delete", "notes.delete", "user:1", "asked", null, null),
    call("notes_delete", "notes.delete", "user:1", "error", "CONFIRMATION_REQUIRED", "cancelled"),
    call("notes_delete", "notes.delete", "user:1", "ok", null, null),
    call("notes_count", "notes.count", `key:${assistant.key.slice(0, 11)}`, "ok", null, null),
    call("notes_count", "notes.count", `key:${assistant.key.slice(0, 11)}`, "ok", null, null),
  ]);
  expect(text).not.toContain("secret");
  const { text: requests } = await service.ask("GET /requests");
  expect(requests).toContain("/mcp");
});

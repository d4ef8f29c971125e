import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toolsOf, tokensOf } from "#vocabulary/mcp/tools";

const document = JSON.parse(readFileSync(new URL("../../../generated/openapi.json", import.meta.url), "utf8"));

test("x", () => {
  const tools = toolsOf(document, { models: new Map([["books", ["fetch", "create", "update", "delete", "restore"]]]), routes: [] }, "user");
  console.log(JSON.stringify(tools, null, 1).slice(0, 3000), tokensOf(tools), tokensOf(toolsOf(document, { models: new Map([["books", ["fetch", "create", "update", "delete", "restore"]]]), routes: [] }, "staff")));
  expect(tools.length).toBe(1);
});

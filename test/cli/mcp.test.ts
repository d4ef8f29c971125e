import { expect, test } from "vitest";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const access = {
  fetch: [{ role: "*" }],
  create: [{ role: "editor" }],
  delete: [{ role: ["editor", "user"] }],
};
const text = { type: "string", description: "The text." };
const notes = {
  description: "Notes.",
  fields: { text },
  access,
  mcp: ["fetch", "create", "delete", "restore"],
  soft_delete: true,
};
const models = { notes, pages: { fields: { text }, access } };
const manifest = { name: "notes", modules: ["mcp"], service_prefix: "/api" };
const route = `import { defineRoute } from "kirak";

export default defineRoute({
  method: "POST", path: "/notes/:id/star", description: "Stars a note.", access: ["editor"],
  body: { type: "object", additionalProperties: false, properties: { stars: { type: "integer" } } },
  answer: {}, mcp: { name: "star_note" }, handler: () => null,
});
`;
const app = folderWith({
  "models/manifest.json": manifest,
  "models/models.json": models,
  "models/routes/star.ts": route,
});
const tools = (...flags: string[]) => kirak(app, ["mcp", "tools", ...flags]);

test("prints all tools with their roles, or those of a role, and what they cost", async () => {
  const [all, guest, editor] = await Promise.all([
    tools(),
    tools("--role", "guest"),
    tools("--role", "editor"),
  ]);
  const named = JSON.parse(all.stdout).map(({ name, roles }: { name: string; roles: string[] }) => [
    name,
    roles,
  ]);
  expect(named).toEqual([
    ["notes_fetch", ["*"]],
    ["notes_create", ["editor"]],
    ["notes_delete", ["editor", "user"]],
    ["star_note", ["editor"]],
  ]);
  expect(all).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^4 tools, roughly \d,?\d+ tokens\n$/),
  });
  expect(guest).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^1 tool, roughly [\d,]+ tokens\n$/),
  });
  expect(JSON.parse(guest.stdout)).toMatchObject([
    { name: "notes_fetch", annotations: { readOnlyHint: true } },
  ]);
  expect(guest.stdout).not.toContain('"roles"');
  expect(JSON.parse(editor.stdout).at(-1)).toMatchObject({
    name: "star_note",
    description: expect.stringContaining("Stars a note."),
    inputSchema: { properties: { params: {}, body: { properties: { stars: { type: "integer" } } } } },
  });
  const tokens = Math.ceil(JSON.stringify(JSON.parse(guest.stdout)).length / 4);
  expect(guest.stderr).toContain(`roughly ${tokens.toLocaleString("en-US")} tokens`);
});

test("refuses an unknown role, and an app without the module", async () => {
  expect(await tools("--role", "editr")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining('did you mean "editor"?'),
  });
  const off = folderWith({ "models/manifest.json": { name: "notes" }, "models/models.json": {} });
  expect(await kirak(off, ["mcp", "tools"])).toEqual({
    status: 2,
    stdout: "",
    stderr: 'the module mcp is off: add "mcp" to "modules" in models/manifest.json\n',
  });
});

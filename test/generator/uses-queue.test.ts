import { join } from "node:path";
import { expect, test } from "vitest";
import type { Service } from "#runtime/index";
import { startTestService } from "#runtime/testing/index";
import { project } from "./support/project.ts";

/** A field that is called like a part of the context: what is generated names it. */
const fields = { text: { type: "text" }, mail: { type: "text" } };
const notes = { notes: { fields, access: { create: [{ role: "*" }] } } };
/** Put together: it is not a folder of this repository. */
const generated = ["..", "..", "generated"].join("/");
const hook = (parameters: string, body = "", head = "") => `${head}
import type { NotesHooks } from "${generated}/models/notes/model.ts";

export const before_create: NotesHooks["before_create"] = async (${parameters}) => {${body}};
`;
const route = (body: string) => `import { defineRoute } from "kirak";

export default defineRoute({
  method: "GET",
  path: "/probe",
  access: ["*"],
  answer: {},
  async handler(_, context) {
    ${body}
    return null;
  },
});
`;
const send = 'await context.mail.send({ to: "a@example.org", subject: "a", text: "a" });';
const helper = `import type { CodeContext } from "kirak";
export const tell = (context: CodeContext) => context.sms.send({ to: "+41791234567", text: "a" });
`;

// biome-ignore format: one case a line
test.each<[string, files: Record<string, string>, manifest: object, usesQueue: boolean]>([
  ["no code", {}, {}, false],
  ["a hook that sends nothing", { "hooks/notes.ts": hook("note", "note.text = `a`") }, {}, false],
  ["a comment", { "hooks/notes.ts": hook("note", " // no mail\n/* no jobs */") }, {}, false],
  ["a context that is taken apart", { "hooks/notes.ts": hook("_, { jobs }", "void jobs;") }, {}, true],
  ["a route", { "routes/probe.ts": route(send) }, {}, true],
  ["a template that holds code", { "routes/probe.ts": route(`void \`\${context.mail}\`;`) }, {}, true],
  [
    "a module that a module imports",
    { "hooks/notes.ts": hook("_, context", "void run(context);", 'import { run } from "../shop/run.ts";'),
      "shop/run.ts": 'export { tell as run } from "./deep/tell.ts";', "shop/deep/tell.ts": helper },
    {},
    true,
  ],
  [
    "a module that is imported by the name of its build, where the word is between what looks like a comment",
    { "hooks/notes.ts": hook("_, context", "void run(context);", 'import { run } from "../shop/run.js";'),
      "shop/run.ts": `const [open, close] = [/[/*]/, /[*/]/];\n${helper.replace("tell", "run")}void open, close;` },
    {},
    true,
  ],
  ["a module that is imported when it is needed",
    { "hooks/notes.ts": hook("_, context", "(await import(`../shop/tell.ts`)).tell(context);"), "shop/tell.ts": helper }, {}, true],
  ["a module that nothing imports", { "hooks/notes.ts": hook("_"), "shop/tell.ts": helper }, {}, false],
  ["files of each user", {}, { modules: ["storage"], storage: { provider: "local", scope: "user" } }, true],
])("%s", async (_, files, manifest, usesQueue) => {
  const { write, read, generate } = project(notes, { name: "fixture", ...manifest });
  for (const [path, text] of Object.entries(files)) write(`models/${path}`, text);
  for (const run of ["first", "again"]) {
    expect((await generate()).diagnostics).toEqual([]);
    expect([run, read("generated/index.ts").includes("usesQueue: true")]).toEqual([run, usesQueue]);
  }
});

test.each([
  ["a hook that sends nothing", hook("note", "note.text = `a`"), null],
  ["one that may send a mail", hook("_, { mail }", "void mail;"), "kirak_jobs"],
])("the schema of the queue: %s", async (_, text, schema) => {
  const { root, write, generate } = project(notes);
  write("models/hooks/notes.ts", text);
  expect((await generate()).diagnostics).toEqual([]);
  const { service }: { service: Service } = await import(join(root, "generated/index.ts"));
  await using app = await startTestService(service, { root });
  const found = await app.database.query("select to_regnamespace('kirak_jobs')::text as name");
  expect(found).toEqual([{ name: schema }]);
  const reply = await app.request("/notes/create", { method: "POST", body: { data: { text: "a" } } });
  expect(reply.status).toBe(200);
});

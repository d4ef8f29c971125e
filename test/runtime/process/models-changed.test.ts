import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { modelsChanged } from "#runtime/process/models-changed";
import { type Project, project } from "../../generator/support/project.ts";

const books = { fields: { title: { type: "string" } } };
const notes = { fields: { text: { type: "text" } } };
const hook = "export {};\n";

async function generated(): Promise<Project> {
  const own = project({ books });
  own.write("models/more.models.json", { notes });
  own.write("models/hooks/notes.ts", "export function before_create() {}\n");
  expect((await own.generate()).exitCode).toBe(0);
  return own;
}

describe("after npm run generate", () => {
  test("models/ has changed when a model or an error does, or a hook file comes or goes, until the next", async () => {
    const own = await generated();
    expect(modelsChanged(own.root)).toBe(false);
    // biome-ignore format: one case a line
    const changes: ((own: Project) => void)[] = [
      (p) => p.write("models/models.json", { books: { ...books, soft_delete: true } }),
      (p) => p.write("models/more.models.json", { notes: { ...notes, max_limit: 7 } }),
      (p) => p.write("models/others.models.json", { letters: notes }),
      (p) => p.write("models/hooks/books.ts", "export function before_create() {}\n"),
      (p) => p.remove("models/hooks/notes.ts"),
      (p) => p.write("models/manifest.json", { name: "fixture", service_prefix: "/v9" }),
      (p) => p.write("models/errors.json", { SLOT_TAKEN: { status: 409, description: "Taken." } }),
      (p) => p.write("models/errors.json", { SLOT_TAKEN: { status: 410, description: "Taken." } }),
      (p) => p.remove("models/errors.json"),
      (p) => p.write("models/migrations/0100_own.ts", 'export default defineSqlMigration({ class: "additive", up: "SELECT 1" });\n'),
    ];
    for (const change of changes) {
      change(own);
      expect(modelsChanged(own.root)).toBe(true);
      expect((await own.generate()).exitCode).toBe(0);
      expect(modelsChanged(own.root)).toBe(false);
    }
  });

  test("it has not, whatever the times of files, their form, and what changes nothing that is generated", async () => {
    const own = await generated();
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(own.root, "models/models.json"), later, later);
    own.write("models/models.json", JSON.stringify({ $schema: "../x.json", books }));
    own.write("models/more.models.json", { notes: { ...notes, lint_ignore: { "hidden-field": "soon" } } });
    own.write("models/manifest.json", { name: "fixture", server: { bulk_limit: 7 } });
    own.write("models/hooks/notes.ts", hook);
    own.write("models/hooks/notes.test.ts", hook);
    own.write("models/shop/slug.ts", hook);
    expect(modelsChanged(own.root)).toBe(false);
  });

  test("nothing is said where it cannot be told: no models, none generated, a lock that cannot be read", async () => {
    const own = await generated();
    own.write("models/models.json", { books: { ...books, soft_delete: true } });
    for (const text of ["", "{}", '{"models": 7}', '{"models": ""}', "<<<<<<< ours\n"]) {
      own.write("generated/manifest.lock.json", text);
      expect(modelsChanged(own.root)).toBe(false);
    }
    own.remove("generated");
    expect(modelsChanged(own.root)).toBe(false);
    const image = await generated();
    image.remove("models/models.json");
    expect(modelsChanged(image.root)).toBe(false);
  });
});

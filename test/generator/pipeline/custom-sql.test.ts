import { describe, expect, test } from "vitest";
import { makeMigration } from "#generator/cli/new-migration";
import { type Project, project } from "../support/project.ts";

const field = { type: "string" };
const models = (...names: string[]) => ({
  books: {
    fields: { title: field, ...Object.fromEntries(names.map((name) => [name, field])) },
    access: { fetch: [{ role: "admin" }] },
  },
});

/** A file of own SQL. */
const sql = (kind = "additive", up = "SELECT 1") =>
  `import { defineSqlMigration } from "kirak/migrations";\n\nexport default defineSqlMigration({ class: "${kind}", up: \`${up}\` });\n`;

/** Each migration with what it builds on. */
function chainOf({ files }: Project): Record<string, string | null> {
  const texts = Object.entries(files("generated/migrations")).filter(([path]) => path.endsWith(".ts"));
  return Object.fromEntries(
    texts.map(([, text]) => [/name: "(.*)"/.exec(text)?.[1] ?? "", /parent: "(.*)"/.exec(text)?.[1] ?? null]),
  );
}

async function clean(made: Project, options: Parameters<Project["generate"]>[0] = {}) {
  const result = await made.generate(options);
  expect(result).toMatchObject({ exitCode: 0, problems: [] });
  return result;
}

/** A project with first tables and own SQL after them. */
async function withOwn(kind?: string): Promise<Project> {
  const made = project(models());
  await clean(made);
  made.write("models/migrations/0002_trigger.ts", sql(kind));
  return made;
}

describe("own SQL in the chain", () => {
  test("the file that is made type-checks, takes its place, and says that it has nothing to do yet", async () => {
    const made = project(models());
    await clean(made);
    const file = makeMigration(
      { root: made.root, models: "models/models.json", out: "generated" },
      "add_trigram",
    );
    expect(file).toBe("models/migrations/0002_add_trigram.ts");
    const { diagnostics, report } = await clean(made, { compile: true });
    expect(diagnostics).toMatchObject([{ code: "empty-migration", file }]);
    expect(report?.migrations).toEqual([
      {
        name: "0002_add_trigram",
        steps: [{ id: "sql:0002_add_trigram", class: "additive", why: null, breaksOlder: false }],
      },
    ]);
    expect(
      made.read("generated/migrations/0002_add_trigram.ts"),
    ).toBe(`// Made by \`npm run generate\` from models/migrations/0002_add_trigram.ts. Edit that file, not this one.
import { linkMigration } from "kirak/migrations";
import sql from "../../models/migrations/0002_add_trigram.ts";

// Additive.
export const migration = linkMigration({
  name: "0002_add_trigram",
  parent: "0001_initial",
  sql,
});
`);
    expect(await made.generate({ mode: "check" })).toMatchObject({ exitCode: 1 });
    made.write(file, sql());
    expect(await made.generate({ mode: "check" })).toMatchObject({ exitCode: 0, problems: [] });
    expect(makeMigration({ root: made.root, models: "models/models.json", out: "generated" }, "next")).toBe(
      "models/migrations/0003_next.ts",
    );
  });

  test("numbers are the order: what models need comes after own SQL that was there before", async () => {
    const made = await withOwn();
    made.write("models/migrations/0003_view.ts", sql());
    made.write("models/models.json", models("isbn"));
    const { report } = await clean(made);
    expect(report?.migrations.map(({ name }) => name)).toEqual([
      "0002_trigger",
      "0003_view",
      "0004_add_isbn_to_books",
    ]);
    made.write("models/migrations/0005_last.ts", sql());
    await clean(made);
    expect(chainOf(made)).toEqual({
      "0001_initial": null,
      "0002_trigger": "0001_initial",
      "0003_view": "0002_trigger",
      "0004_add_isbn_to_books": "0003_view",
      "0005_last": "0004_add_isbn_to_books",
    });
    expect(await made.generate({ mode: "check" })).toMatchObject({ exitCode: 0 });
  });

  test("deleting generated/ loses nothing: one initial migration, then the files in their order", async () => {
    const made = await withOwn();
    await clean(made);
    const before = made.files("generated");
    made.remove("generated");
    await clean(made);
    expect(made.files("generated")).toEqual(before);
    made.write("models/models.json", models("isbn"));
    made.write("models/migrations/0007_view.ts", sql("destructive"));
    await made.generate({ accepted: ["sql:0007_view"] });
    made.remove("generated");
    await clean(made);
    expect(chainOf(made)).toEqual({
      "0001_initial": null,
      "0002_trigger": "0001_initial",
      "0007_view": "0002_trigger",
    });
    await clean(made);
  });

  test("an error of TypeScript in a file is the user's, and is reported at its place", async () => {
    const made = await withOwn();
    made.write(
      "models/migrations/0003_typed.ts",
      `${sql()}const wrong: number = "text";\nexport { wrong };\n`,
    );
    const { exitCode, diagnostics } = await made.generate({ compile: true });
    expect(exitCode).toBe(2);
    expect(diagnostics).toMatchObject([{ file: "models/migrations/0003_typed.ts" }]);
  });

  test("a deleted schema.json is derived from the steps", async () => {
    const made = await withOwn();
    await clean(made);
    const schema = made.read("generated/migrations/schema.json");
    made.remove("generated/migrations/schema.json");
    expect((await clean(made)).report?.history.derived).toBe("was missing");
    expect(made.read("generated/migrations/schema.json")).toBe(schema);
  });

  test.each(
    // biome-ignore format: one case a line
    [
      ["additive", [], "// Additive.", false],
      ["breaks-older-code", [], "// Running older instances fail where they use it, until they are replaced: sql:0002_trigger", true],
      ["destructive", ["sql:0002_trigger"], "// Destructive: sql:0002_trigger, accepted with --accept-destructive", false],
    ],
  )(
    "its class is %s: accepted with %j, and said in the head and in the report",
    async (kind, accepted, head, older) => {
      const made = await withOwn(kind);
      const refused = await made.generate();
      if (accepted.length > 0)
        // biome-ignore format: one case a line
        expect(refused).toMatchObject({ exitCode: 1,
          problems: [{ kind: "destructive", details: "  sql:0002_trigger: the SQL of models/migrations/0002_trigger.ts\n",
            fix: "npm run generate -- --accept-destructive sql:0002_trigger" }],
        });
      if (accepted.length > 0) await clean(made, { accepted });
      expect(made.read("generated/migrations/0002_trigger.ts")).toContain(`${head}\nexport const`);
      await clean(made);
      expect(refused.report?.migrations).toMatchObject([
        {
          name: "0002_trigger",
          steps: [{ class: kind === "destructive" ? kind : "additive", breaksOlder: older }],
        },
      ]);
    },
  );

  test("another class is drift, and is accepted again if it loses data", async () => {
    const made = await withOwn();
    await clean(made);
    made.write("models/migrations/0002_trigger.ts", sql("destructive"));
    expect(await made.generate({ mode: "check" })).toMatchObject({
      exitCode: 1,
      problems: [{ kind: "destructive" }],
    });
    await clean(made, { accepted: ["sql:0002_trigger"] });
  });

  // biome-ignore format: one case a line
  test.each<[string, (made: Project) => void, object]>([
    [
      "a file that is gone",
      (made) => made.remove("models/migrations/0002_trigger.ts"),
      { message: "models/migrations/0002_trigger.ts is missing, and a database may have applied it already",
        fix: "restore it from version control; or, if no database has applied it, npm run generate -- --rebase 0002_trigger removes it from the history" },
    ],
    [
      "a number that is too low",
      (made) => made.write("models/migrations/0002_more.ts", sql()),
      { message: "models/migrations/0002_more.ts must run after 0002_trigger, so its number must be higher",
        fix: "rename it to models/migrations/0003_more.ts, and run npm run generate" },
    ],
  ])("%s stops", async (_, change, problem) => {
    const made = await withOwn();
    await clean(made);
    change(made);
    expect(await made.generate()).toMatchObject({ exitCode: 1, problems: [{ kind: "history", ...problem }] });
  });
});

describe("--rebase", () => {
  test("keeps custom SQL, at its place among the steps that are derived again", async () => {
    const made = await withOwn();
    made.write("models/models.json", models("isbn"));
    await clean(made);
    made.write("models/migrations/0004_view.ts", sql());
    await clean(made);
    // biome-ignore format: one case a line
    expect(Object.keys(chainOf(made))).toEqual([
      "0001_initial", "0002_trigger", "0003_add_isbn_to_books", "0004_view",
    ]);
    made.write("models/models.json", models("code"));
    const { report } = await clean(made, { rebase: ["0003_add_isbn_to_books"] });
    expect(chainOf(made)).toEqual({
      "0001_initial": null,
      "0002_trigger": "0001_initial",
      "0003_add_code_to_books": "0002_trigger",
      "0004_view": "0003_add_code_to_books",
    });
    expect(report?.history.rebased).toEqual({
      removed: ["0003_add_isbn_to_books"],
      moved: ["0004_view"],
      onto: "0002_trigger",
      by: "0003_add_code_to_books",
    });
    await clean(made, { rebase: ["0002_trigger"] });
    // biome-ignore format: one case a line
    expect(Object.keys(chainOf(made))).toEqual([
      "0001_initial", "0002_trigger", "0003_add_code_to_books", "0004_view",
    ]);
  });

  test("takes own SQL out of the chain whose file is gone", async () => {
    const made = await withOwn();
    await clean(made);
    made.remove("models/migrations/0002_trigger.ts");
    await clean(made, { rebase: ["0002_trigger"] });
    expect(chainOf(made)).toEqual({ "0001_initial": null });
  });

  test("two branches that each bring own SQL: the other one gets a number after it, and its place", async () => {
    const made = await withOwn();
    await clean(made);
    const ours = made.read("generated/migrations/0002_trigger.ts");
    made.remove("models/migrations/0002_trigger.ts");
    made.remove("generated");
    await clean(made);
    made.write("models/migrations/0002_view.ts", sql());
    await clean(made);
    made.write("models/migrations/0002_trigger.ts", sql());
    made.write("generated/migrations/0002_trigger.ts", ours);
    const stopped = await made.generate();
    expect(stopped).toMatchObject({ exitCode: 1, problems: [{ kind: "heads" }] });
    expect(stopped.problems[0]?.details).toContain("npm run generate -- --rebase 0002_view");
    // biome-ignore format: one case a line
    expect(await made.generate({ rebase: ["0002_view"] })).toMatchObject({ exitCode: 1,
      problems: [{ message: "models/migrations/0002_view.ts must run after 0002_trigger, so its number must be higher",
        fix: "rename it to models/migrations/0003_view.ts, and run npm run generate -- --rebase 0002_view" }],
    });
    made.remove("models/migrations/0002_view.ts");
    made.write("models/migrations/0003_view.ts", sql());
    await clean(made, { rebase: ["0002_view"] });
    expect(chainOf(made)).toEqual({
      "0001_initial": null,
      "0002_trigger": "0001_initial",
      "0003_view": "0002_trigger",
    });
  });
});

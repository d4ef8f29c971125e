import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { project } from "../support/project.ts";

const disk = vi.hoisted(() => ({ renames: Number.POSITIVE_INFINITY }));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const rename: typeof renameSync = (from, to) => {
    if (disk.renames === 0) throw new Error("killed");
    disk.renames -= 1;
    real.renameSync(from, to);
  };
  return { ...real, renameSync: rename };
});

beforeEach(() => {
  disk.renames = Number.POSITIVE_INFINITY;
});

const books = (...names: readonly string[]) => ({
  books: {
    fields: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    access: { fetch: [{ role: "admin" }] },
  },
});

test.each([0, 1, 2, 3, 4, 5])(
  "a run that is killed after %i renames is made good by the next one",
  async (renames) => {
    const { root, generate, write, files } = project(books("title"));
    await generate();
    cpSync(join(root, "generated"), join(root, "before"), { recursive: true });
    write("models/models.json", books("title", "isbn"));
    await generate();
    const whole = files("generated");
    rmSync(join(root, "generated"), { recursive: true });
    renameSync(join(root, "before"), join(root, "generated"));

    disk.renames = renames;
    await expect(generate()).rejects.toThrow("killed");
    disk.renames = Number.POSITIVE_INFINITY;
    write("generated/index.ts.4711.tmp", "half a fi");
    expect(await generate({ mode: "check" })).toMatchObject({ exitCode: 1, problems: [{ kind: "drift" }] });
    expect(await generate()).toMatchObject({ exitCode: 0, problems: [] });
    expect(files("generated")).toEqual(whole);
  },
);

test.each([1, 2, 3, 4, 5])(
  "models may change after a run that was killed after %i renames",
  async (renames) => {
    const { generate, write, files } = project(books("title"));
    await generate();
    write("models/models.json", books("title", "isbn"));
    disk.renames = renames;
    await expect(generate()).rejects.toThrow("killed");
    disk.renames = Number.POSITIVE_INFINITY;
    write("models/models.json", books("title", "isbn", "pages"));
    expect(await generate()).toMatchObject({ exitCode: 0, problems: [] });
    expect(await generate({ mode: "check" })).toMatchObject({ exitCode: 0 });
    const migrations = Object.keys(files("generated/migrations")).filter((path) => /^\d/.test(path));
    expect(new Set(migrations.map((path) => path.slice(0, 4))).size).toBe(migrations.length);
  },
);

const twoHeads = async () => {
  const made = project(books("title"));
  await made.generate();
  cpSync(join(made.root, "generated"), join(made.root, "before"), { recursive: true });
  made.write("models/models.json", books("title", "isbn"));
  await made.generate();
  const other = made.read("generated/migrations/0002_add_isbn_to_books.ts");
  rmSync(join(made.root, "generated"), { recursive: true });
  renameSync(join(made.root, "before"), join(made.root, "generated"));
  made.write("models/models.json", books("title", "pages"));
  await made.generate();
  made.write("generated/migrations/0002_add_isbn_to_books.ts", other);
  made.write("models/models.json", books("title", "pages", "isbn"));
  return made;
};

test.each([1, 2, 3, 4, 5])(
  "a rebase that is killed after %i renames can be made again, or has been made",
  async (renames) => {
    const { generate, files } = await twoHeads();
    disk.renames = renames;
    await expect(generate({ rebase: ["0002_add_isbn_to_books"] })).rejects.toThrow("killed");
    disk.renames = Number.POSITIVE_INFINITY;
    const { problems } = await generate();
    for (const { kind } of problems) expect(kind).toBe("heads");
    if (problems.length > 0)
      expect(await generate({ rebase: ["0002_add_isbn_to_books"] })).toMatchObject({ problems: [] });
    expect(await generate({ mode: "check" })).toMatchObject({ exitCode: 0 });
    // biome-ignore format: one case a line
    expect(Object.keys(files("generated/migrations"))).toEqual([
      "0001_initial.ts", "0002_add_pages_to_books.ts", "0003_add_isbn_to_books.ts", "schema.json",
    ]);
  },
);

test("a first run that was killed starts again", async () => {
  const { generate, write, files } = project(books("title"));
  disk.renames = 2;
  await expect(generate()).rejects.toThrow("killed");
  disk.renames = Number.POSITIVE_INFINITY;
  write("models/models.json", books("title", "isbn"));
  expect(await generate()).toMatchObject({ exitCode: 0 });
  expect(Object.keys(files("generated/migrations"))).toEqual(["0001_initial.ts", "schema.json"]);
});

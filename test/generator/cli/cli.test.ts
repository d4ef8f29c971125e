import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { generatorProgram, project, runGenerator } from "../support/project.ts";

const models = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "*" }] } } };

/** Starts the command line in a project; `printed` waits for a text after all texts it waited for before. */
function start(root: string, flags: readonly string[]) {
  const child = spawn(process.execPath, [...generatorProgram, ...flags], { cwd: root, stdio: "pipe" });
  onTestFinished(() => {
    child.kill();
  });
  let output = "";
  let seen = 0;
  let look = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      look();
    });
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      look = () => {
        const found = output.indexOf(text, seen);
        if (found < 0) return;
        seen = found + text.length;
        look = () => {};
        resolve();
      };
      look();
    });
  return { printed, child };
}

/** Runs the command line in a project. */
async function run(root: string, ...flags: readonly string[]) {
  const { code, printed, complained } = await runGenerator(root, flags);
  return { status: code, stdout: printed, stderr: complained };
}

/** The same without a folder for temporary files, which the generator takes for a bug. It makes one for texts that it formats first. */
async function runWithBug(...flags: readonly string[]) {
  const { root } = project({ unformatted: models.books });
  const { code, printed, complained } = await runGenerator(root, flags, { TMPDIR: join(root, "gone") });
  return { status: code, stdout: printed, stderr: complained };
}

/** The same in a process of its own, which must end by itself. */
function runAlone(root: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...generatorProgram], {
    cwd: root,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("0: generates, then has nothing to do", () => {
  const { root, read } = project(models);
  const first = runAlone(root);
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(first.stdout).toBe(
    "models added: books\n  books is open to everyone by fetch, count, exists\nmigration 0001_initial: 1 additive\nwrote 14 files, 0 unchanged\n",
  );
  expect(read("generated/index.ts")).toContain("models: [books],");
  expect(runAlone(root)).toMatchObject({ status: 0, stdout: "nothing to do: 14 files up to date\n" });
});

test("--new-migration generates, makes a file, and links it", async () => {
  const { root, read, write } = project(models);
  const made = await run(root, "--new-migration", "add_trigram");
  expect(made).toMatchObject({ status: 0, stderr: expect.stringContaining("warning empty-migration") });
  expect(made.stdout).toMatch(
    /migration 0001_initial: 1 additive\n.*\nmigration 0002_add_trigram: custom SQL, 1 additive\n.*\nwrite what models\/migrations\/0002_add_trigram\.ts does, and then: npm run migrate\n$/,
  );
  expect(read("generated/migrations/0002_add_trigram.ts")).toContain(
    "../../models/migrations/0002_add_trigram.ts",
  );
  const file = "models/migrations/0002_add_trigram.ts";
  write(file, read(file).replace("up: [", 'up: ["SELECT 1",'));
  expect(await run(root)).toMatchObject({ status: 0, stderr: "" });
  expect((await run(root)).stdout).toMatch(/^nothing to do/);
  const next = await run(root, "--new-migration", "add_view");
  expect(next.stdout).toMatch(
    /^migration 0003_add_view: custom SQL, 1 additive\nwrote 3 files, \d+ unchanged\nwrite what models\/migrations\/0003_add_view\.ts does, and then: npm run migrate\n$/,
  );
  write(file, read(file).replace("class:", "klass:"));
  expect(await run(root)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("error invalid-migration"),
  });
});

test("the next run repeats the messages of an unchanged problem", async () => {
  const { root, write, remove } = project(models);
  const pens = "models/hooks/pens.ts";
  write(pens, "export const before_create = () => {};\n");
  const warned = await run(root);
  expect(warned.stderr).toContain("warning orphan-hook");
  expect(await run(root)).toMatchObject({ status: 0, stderr: warned.stderr });
  remove(pens);
  expect(await run(root)).toMatchObject({ status: 0, stderr: "" });
  write("models/hooks/books.ts", "export const before_create = 5;\n");
  const failed = await run(root);
  expect(failed).toMatchObject({ status: 2, stdout: "" });
  expect(await run(root)).toEqual(failed);
});

test("1: drift, with the diff and the fix", async () => {
  const { root } = project(models);
  const { status, stdout, stderr } = await run(root, "--check");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^generated\/ does not match the models\n--- \/dev\/null\n\+\+\+ b\/generated\//);
  expect(stderr).toMatch(/\nto go on: npm run generate\n\n$/);
});

test("2: invalid models, on standard error", async () => {
  const { root } = project({ books: { fields: { title: { type: "strnig" } } } });
  const { status, stdout, stderr } = await run(root);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("error unknown-field-type");
  expect(stderr).not.toContain(" at ");
});

test("2: bad flags, on standard error", async () => {
  const { status, stdout, stderr } = await run(project(models).root, "--chekc");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(
    "Unknown argument: chekc; did you mean --check?\n`kirak generate --help` lists the flags\n",
  );
});

test("70: a bug of the generator, with its stack", async () => {
  const { status, stderr } = await runWithBug();
  expect(status).toBe(70);
  expect(stderr).toContain("this is a bug of the generator");
  expect(stderr).toMatch(/\n {4}at /);
});

test("--help names flags, examples and exit codes", async () => {
  const { status, stdout } = await run(project().root, "--help");
  expect(status).toBe(0);
  for (const text of ["--accept-destructive", "--dry-run", "Examples:", "Exit codes:"])
    expect(stdout).toContain(text);
});

test("--json prints one object, --print-definition the definition", async () => {
  const { root } = project(models);
  const { exitCode, diagnostics, problems, report, diff } = JSON.parse(
    (await run(root, "--json", "--dry-run")).stdout,
  );
  expect({ exitCode, diagnostics, problems }).toEqual({ exitCode: 0, diagnostics: [], problems: [] });
  expect((await run(root, "--dry-run")).stdout).toMatch(
    /\nwould write 14 files, 0 unchanged\n--- \/dev\/null\n/,
  );
  expect(diff).toContain("+++ b/generated/index.ts\n");
  expect(report.models.added).toEqual(["books"]);
  expect(JSON.parse((await run(root, "--print-definition")).stdout).models[0].key).toBe("books");
});

test("--report markdown is on standard output, also where the run fails", async () => {
  const { root, write } = project(models);
  expect((await run(root, "--report", "markdown")).stdout).toMatch(/^## Generated changes\n\n### Models\n/);
  const wider = { fetch: [{ role: "*" }], delete: [{ role: "admin" }] };
  write("models/models.json", { books: { ...models.books, access: wider } });
  const { status, stdout, stderr } = await run(root, "--check", "--report", "markdown");
  expect(status).toBe(1);
  expect(stdout).toMatch(/^## Generated changes\n\n### Not done yet\n/);
  expect(stdout).toContain("**Not acknowledged** as `books.delete to admin: all rows`");
  expect(stderr).toMatch(/^WIDER ACCESS that is not acknowledged; nothing was written\n/);
});

test("--json prints bad flags and bugs as JSON too", async () => {
  const { root } = project(models);
  const flags = await run(root, "--chekc", "--json");
  expect(flags.status).toBe(2);
  expect(JSON.parse(flags.stdout)).toMatchObject({ exitCode: 2, problems: [{ kind: "flags" }] });
  const bug = await runWithBug("--json");
  expect(bug.status).toBe(70);
  expect(JSON.parse(bug.stdout)).toMatchObject({ exitCode: 70, problems: [{ kind: "bug" }] });
});

test("2: the project itself is not an output folder", async () => {
  const { root } = project(models);
  expect(await run(root, "--out", ".")).toMatchObject({ status: 2, stdout: "" });
});

test("--watch generates again after a change, and survives an error", async () => {
  const { root, write, read, generate } = project({
    books: { ...models.books, fields: { title: { type: "string" }, isbn: { type: "string" } } },
  });
  await generate();
  write("models/models.json", models);
  // Accepted once: the later runs have no such step.
  const flags = ["--watch", "--accept-destructive", "drop_column:books.isbn"];
  const { printed } = start(root, flags);
  await printed("watching for changes");
  write("models/models.json", "{");
  await printed("invalid-json");
  write("models/models.json", { books: { ...models.books, slug: "novels" } });
  await printed("wrote 4 files");
  expect(read("generated/models/books/model.ts")).toContain('slug: "novels"');
});

test("--watch sees files that an editor replaces, and outlives a folder that goes", async () => {
  const { root, write } = project(models);
  const { printed, child } = start(root, ["--watch"]);
  await printed("watching for changes");
  for (const slug of ["novels", "volumes"]) {
    write("models/models.json.new", { books: { ...models.books, slug } });
    renameSync(join(root, "models/models.json.new"), join(root, "models/models.json"));
    await printed("wrote 4 files");
  }
  renameSync(join(root, "models"), join(root, "elsewhere"));
  await printed("missing-file");
  renameSync(join(root, "elsewhere"), join(root, "models"));
  await printed("nothing to do");
  expect(child.exitCode).toBeNull();
});

test("--watch waits for a models file that is not there yet", async () => {
  const { root, write } = project(models);
  const { printed } = start(root, ["--watch", "--models", "nope/m.json"]);
  await printed("missing-file");
  await printed("watching for changes");
  write("nope/m.json", models);
  await printed("wrote 14 files");
});

test("Ctrl-C leaves no temporary folder", async () => {
  const { root, write } = project(models);
  write("tmp/keep", "");
  const temporary = join(root, "tmp");
  const names = () => readdirSync(temporary).filter((name) => name.startsWith("kirak-format-"));
  const child = spawn(process.execPath, [...generatorProgram], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
  });
  await vi.waitFor(() => expect(names()).toHaveLength(1), { timeout: 30_000, interval: 5 });
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  expect(names()).toEqual([]);
});

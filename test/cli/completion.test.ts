import { expect, test } from "vitest";
import { commandTable } from "#cli/command-table";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const app = folderWith({
  "models/models.json": {
    books: { access: { fetch: [{ role: "editor" }, { role: "*" }, { role: "signed_in" }] } },
  },
  "generated/migrations/0001_initial.ts": "",
  "generated/migrations/0002_isbn.ts": "",
  "generated/migrations/schema.json": "{}",
});
const built = folderWith({ "models/manifest.json": {}, "dist/generated/migrations/0001_initial.js": "" });

/** What a shell lists after the words of a line; the user is typing the last one. */
async function after(line: string, folder = app): Promise<string[]> {
  const { stdout } = await kirak(folder, ["--get-yargs-completions", ...line.split(" ")], {
    SHELL: "/bin/bash",
  });
  return stdout.split("\n").filter((found) => found !== "");
}

// The shell shows only names that begin as the typed word.
test("commands, and those of a group", async () => {
  expect(await after("kirak ")).toEqual(commandTable.map(({ name }) => name));
  expect(await after("kirak migrate ")).toEqual(["up", "down", "status", "verify", "baseline"]);
});

test.each([
  ["kirak migrate down -", ["--help", "--to", "--dry-run", "--accept-data-loss"]],
  ["kirak migrate --", ["--help", "--to", "--dry-run"]],
  ["kirak jobs list --js", ["--help", "--json"]],
  ["kirak worker --concurrency 5 --", ["--help"]],
])("%s: flags that are not there yet", async (line, found) => {
  expect(await after(line)).toEqual(found);
});

test.each([
  ["kirak generate --report ", ["text", "markdown"]],
  ["kirak migrate up --to ", ["0001_initial", "0002_isbn"]],
  ["kirak migrate down --to 0002", ["0002_isbn"]],
  ["kirak token --role ", ["admin", "editor", "user"]],
  ["kirak token --role e", ["editor"]],
])("%s: what can stand there", async (line, found) => {
  expect(await after(line)).toEqual(found);
});

test("names of migrations are those of the app around the folder, or of its build", async () => {
  expect(await after("kirak migrate baseline 0", `${app}/models`)).toEqual(["0001_initial", "0002_isbn"]);
  expect(await after("kirak migrate up --to ", built)).toEqual(["0001_initial"]);
});

test("a shell is given the script, and what it asks for then", async () => {
  const script = await kirak(app, ["completion", "--shell", "zsh"]);
  expect(script).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/^#compdef kirak\n/) });
  expect((await kirak(app, ["completion", "--shell", "bash"])).stdout).toContain(
    "kirak --get-yargs-completions ",
  );
  const asked = await kirak(app, ["--get-yargs-completions", "kirak", "migrate", "st"], {
    SHELL: "/bin/zsh",
  });
  expect(asked).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^status:lists applied and pending migrations$/m),
  });
});

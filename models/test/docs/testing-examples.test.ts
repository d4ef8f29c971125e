import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiled } from "../../../test/support/compiled.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const docs = readFileSync(join(root, "docs", "testing.md"), "utf8");

/** Of an app's own `test/`. */
const shown = (name: string) =>
  readFileSync(join(import.meta.dirname, "testing", name), "utf8").replaceAll("../../../../", "../");

test.each([
  ["books.test.ts", "test/books.test.ts"],
  ["parcels.ts", "test/parcels.test.ts"],
])("docs/testing.md shows %s, which runs", (name, path) => {
  expect(docs).toContain(`\`\`\`ts\n// ${path}\n${shown(name)}\`\`\`\n`);
});

test("node --test runs the kit as well", async () => {
  const program = compiled(new URL("testing/parcels.ts", import.meta.url));
  const run = promisify(execFile)(process.execPath, ["--test", program.pathname], { cwd: root });
  expect((await run).stdout).toMatch(/^(#|ℹ) pass 1$/m);
});

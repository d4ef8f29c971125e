import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How `npm run generate` starts it: most of what the compiler makes dies young, and is cheaper where there is room for it. */
const asNpmRun = ["--max-semi-space-size=32", "--conditions=source", "--import", "tsx"];

/** Seconds that the generator takes for so many models: from nothing, and again without changes. */
export async function generatorTimes(
  root: string,
  count: number,
): Promise<{ first: number; second: number }> {
  const folder = join(root, "var", "benchmark", `models-${count}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { authors } = JSON.parse(readFileSync(join(root, "models", "models.json"), "utf8"));
  const { books, ...fields } = authors.fields;
  const models = Array.from({ length: count }, (_, i) => [`model_${i}`, { ...authors, fields }]);
  writeFileSync(join(folder, "models.json"), JSON.stringify(Object.fromEntries(models), null, 2));
  const generate = async () => {
    const startedAt = performance.now();
    const flags = ["--models", join(folder, "models.json"), "--out", join(folder, "generated")];
    await run(process.execPath, [...asNpmRun, join(root, "generator", "cli", "cli.ts"), ...flags], {
      cwd: root,
    });
    return (performance.now() - startedAt) / 1000;
  };
  return { first: await generate(), second: await generate() };
}

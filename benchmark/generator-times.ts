import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** As `npm run generate` starts it. */
const program = ["--max-semi-space-size=32", "scripts/run/source.js", "generator/cli/cli.ts"];

/** Seconds that the generator takes for so many models. */
export interface GeneratorTimes {
  /** From nothing. */
  readonly first: number;
  /** With a field more in one of the models. */
  readonly field: number;
  /** Again, without a change. */
  readonly unchanged: number;
}

/** Measures one run of each; of the sources of the generator itself there is a compiled tree by then. */
export async function generatorTimes(root: string, count: number): Promise<GeneratorTimes> {
  const folder = join(root, "var", "benchmark", `models-${count}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { authors } = JSON.parse(readFileSync(join(root, "models", "models.json"), "utf8"));
  const { books, ...fields } = authors.fields;
  const models = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`model_${i}`, { ...authors, fields }]),
  );
  const write = (value: object) => writeFileSync(join(folder, "models.json"), JSON.stringify(value, null, 2));
  const generate = async (...flags: readonly string[]) => {
    const startedAt = performance.now();
    const places = ["--models", join(folder, "models.json"), "--out", join(folder, "generated")];
    await run(process.execPath, [...program, ...places, ...flags], { cwd: root });
    return (performance.now() - startedAt) / 1000;
  };
  await run(process.execPath, [...program, "--help"], { cwd: root });
  write(models);
  const first = await generate();
  write({ ...models, model_0: { ...authors, fields: { ...fields, one_more: { type: "string" } } } });
  return { first, field: await generate(), unchanged: await generate() };
}

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { median } from "./measure.ts";

const run = promisify(execFile);

/** As `npm run generate` starts it. */
const program = ["scripts/run/kirak.js", "generate"];

/** Seconds that the generator takes for so many models. Medians. */
export interface GeneratorTimes {
  /** From nothing. */
  readonly first: number;
  /** With a field more in one of the models. */
  readonly field: number;
  /** Again, without a change. */
  readonly unchanged: number;
}

/** Measures each kind of run so many times; the generator itself is compiled by then. */
export async function generatorTimes(root: string, count: number, rounds: number): Promise<GeneratorTimes> {
  await run(process.execPath, [...program, "--help"], { cwd: root });
  const times: GeneratorTimes[] = [];
  for (let round = 0; round < rounds; round++) times.push(await oneRound(root, count));
  const of = (kind: keyof GeneratorTimes) => median(times.map((time) => time[kind]));
  return { first: of("first"), field: of("field"), unchanged: of("unchanged") };
}

async function oneRound(root: string, count: number): Promise<GeneratorTimes> {
  const project = newProject(root, count);
  const generate = async () => {
    const startedAt = performance.now();
    await run(process.execPath, [...program, ...project.places], { cwd: root });
    return secondsSince(startedAt);
  };
  project.write(0);
  const first = await generate();
  project.write(1);
  return { first, field: await generate(), unchanged: await generate() };
}

/** Seconds from the moment in which a field more is saved to the line that tells what `--watch` wrote. The median of some. */
export async function watchTime(root: string, count: number, changes: number): Promise<number> {
  const project = newProject(root, count);
  project.write(0);
  const words = [...program, ...project.places, "--watch"];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await skipTo(lines, "watching for changes");
    const times: number[] = [];
    for (let fields = 1; fields <= changes; fields++) {
      project.write(fields);
      const savedAt = performance.now();
      await skipTo(lines, "wrote ");
      times.push(secondsSince(savedAt));
    }
    return median(times);
  } finally {
    child.kill();
    await gone;
  }
}

interface Project {
  /** The flags that say where it is. */
  readonly places: readonly string[];
  /** Saves the models, the first of them with so many fields more. */
  write(fields: number): void;
}

/** An empty folder, for copies of a model of the example. */
function newProject(root: string, count: number): Project {
  const folder = join(root, "var", "benchmark", `models-${count}`);
  const file = join(folder, "models.json");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { authors } = JSON.parse(readFileSync(join(root, "models", "models.json"), "utf8"));
  const { books, ...fields } = authors.fields;
  const models = Array.from({ length: count }, (_, i) => [`model_${i}`, { ...authors, fields }]);
  return {
    places: ["--models", file, "--out", join(folder, "generated")],
    write(more) {
      const added = Array.from({ length: more }, (_, i) => [`one_more_${i}`, { type: "string" }]);
      const first = { ...authors, fields: { ...fields, ...Object.fromEntries(added) } };
      writeFileSync(file, JSON.stringify({ ...Object.fromEntries(models), model_0: first }, null, 2));
    },
  };
}

async function skipTo(lines: AsyncIterator<string>, start: string): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the generator ended before "${start}"`);
    if (value.startsWith(start)) return;
  }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}

import { join } from "node:path";
import type { StopProblem } from "../diagnostics/stop.ts";
import { modelFiles, readInput } from "../load/files.ts";
import { parsedJson } from "../output/lock-file.ts";
import { readOutputFolder } from "../output/output-folder.ts";

/** The options of an introspection. */
export interface IntrospectOptions {
  /** The project: all other paths are relative to it. */
  readonly root: string;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  /** Replace existing models and migrations. */
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Name of the service, for a new manifest. */
  readonly name: string;
}

/** The problem with files that a run would overwrite, or null. With `force` or on a dry run, only files that it cannot replace. */
export async function existingProblem(options: IntrospectOptions): Promise<StopProblem | null> {
  const { root, models, force, dryRun } = options;
  const [, ...further] = await modelFiles(root, models);
  if (further.length > 0)
    return problem(`${further.join(", ")} would be merged into the models`, "move it to another folder");
  if (force || dryRun) return null;
  const there = await inTheWay(options);
  return there === null ? null : problem(there, forced);
}

/** Whether a project has models, also in files next to the models file. */
export async function hasModels(root: string, models: string): Promise<boolean> {
  const inputs = await Promise.all((await modelFiles(root, models)).map((path) => readInput(root, path)));
  return inputs.some(({ text }) => text !== null && modelCount(text) > 0);
}

/** The files that a run replaces only with `force`, as a phrase, or null. */
export async function inTheWay({ root, models, out }: Places): Promise<string | null> {
  const { text } = await readInput(root, models);
  const held = text === null ? 0 : modelCount(text);
  if (held > 0) return `${models} already has ${held === 1 ? "a model" : `${held} models`}`;
  const migration = [...readOutputFolder(join(root, out)).files.keys()].find((path) =>
    /^migrations\/\d+_\w+\.ts$/.test(path),
  );
  return migration === undefined ? null : `${out}/${migration} already exists`;
}

type Places = Pick<IntrospectOptions, "root" | "models" | "out">;

const forced = "move it away, or replace models and migrations with --force";

function problem(message: string, fix: string): StopProblem {
  return { kind: "existing", message: `${message}; nothing is written`, details: "", fix };
}

/** Models of a models file; a text that is not JSON counts as one. */
function modelCount(text: string): number {
  if (text.trim() === "") return 0;
  const data: unknown = parsedJson(text);
  if (typeof data !== "object" || data === null) return 1;
  return Object.keys(data).filter((key) => !key.startsWith("$")).length;
}

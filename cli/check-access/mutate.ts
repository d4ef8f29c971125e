import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import { defaultPlaces } from "#generator/diagnostics/command";
import { emitModels } from "#generator/emit/emit";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { Operation } from "#vocabulary/operations";
import { mutating } from "./access-report.ts";
import { declaredOperations, operationOf, type RuledOperation, rulesOf } from "./model-access.ts";
import { atomsOf, withoutAtom } from "./witnesses/condition-atoms.ts";

/** A rule that has lost one atom of its condition. */
export interface Mutant {
  readonly model: string;
  readonly operation: Operation;
  readonly role: string;
  readonly atom: string;
}

export interface MutationReport {
  /** Mutants with which the tests pass. */
  readonly unnoticed: readonly Mutant[];
  /** The number of the other ones. */
  readonly noticed: number;
}

/** The tests fail without a mutant. */
export class TestsFail extends Error {}

/** A mutant, and the policy file of its model. */
interface Mutation extends Mutant {
  readonly path: string;
  readonly text: string;
}

/** Each rule of the models without each of its atoms. */
export function* mutationsOf(
  definition: ServiceDefinition,
  models: readonly ModelDefinition[],
  operations: ReadonlySet<string>,
): Generator<Mutation> {
  for (const model of models)
    for (const ruled of declaredOperations(model)) {
      const operation = operationOf(ruled);
      if (!operations.has(operation)) continue;
      for (const [index, { role, condition }] of rulesOf(model, ruled).entries())
        for (const { path, text: atom } of condition === null ? [] : atomsOf(condition)) {
          const left = condition && withoutAtom(condition, path);
          const changed = withCondition(model, ruled, index, left);
          yield { model: model.key, operation, role, atom, ...policyOf(definition, changed) };
        }
    }
}

/** The model with another condition of one rule. */
function withCondition(
  model: ModelDefinition,
  ruled: RuledOperation,
  index: number,
  condition: Condition | null,
): ModelDefinition {
  const { operations, upsert } = model.access;
  const rules = rulesOf(model, ruled).map((rule, at) =>
    at === index ? { ...rule, condition, written: condition, text: null } : rule,
  );
  const changed =
    ruled === "upsert of a new row"
      ? { upsert: { ...upsert, insert: rules } }
      : ruled === "upsert of a row"
        ? { upsert: { ...upsert, update: rules } }
        : { operations: { ...operations, [ruled]: rules } };
  return { ...model, access: { ...model.access, ...changed } };
}

/** The policy file of a changed model. */
function policyOf(definition: ServiceDefinition, changed: ModelDefinition): { path: string; text: string } {
  const models = definition.models.map((model) => (model.key === changed.key ? changed : model));
  const path = `models/${changed.slug}/policy.ts`;
  const file = emitModels({ ...definition, models }, defaultPlaces.out).find((each) => each.path === path);
  if (file === undefined) throw new Error(`the generator prints no ${path}`);
  return file;
}

/** Not copied: what tests do not read, or find in the folder above. */
const left: ReadonlySet<string> = new Set(["node_modules", ".git", "dist", "var"]);

/**
 * Runs the app's tests once for each mutation, in a copy of the app below `var/`. Rejects with `TestsFail` if they fail without a
 * mutation.
 */
export async function runMutations(
  root: string,
  mutations: Iterable<Mutation>,
  testCommand: string,
  progress: (mutant: Mutant, isNoticed: boolean) => void,
): Promise<MutationReport> {
  const folder = copyOf(root);
  try {
    const first = await testsIn(folder, testCommand);
    if (first !== null) throw new TestsFail(`the tests fail without a mutation: ${testCommand}\n${first}`);
    const unnoticed: Mutant[] = [];
    let noticed = 0;
    for (const { path, text, ...mutant } of mutations) {
      const file = join(defaultPlaces.out, path);
      writeFileSync(join(folder, file), text);
      const isNoticed = (await testsIn(folder, testCommand)) !== null;
      cpSync(join(root, file), join(folder, file));
      if (isNoticed) noticed++;
      else unnoticed.push(mutant);
      progress(mutant, isNoticed);
    }
    return { unnoticed, noticed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A copy of the app. Node.js and npm find packages in folders above it. */
function copyOf(root: string): string {
  mkdirSync(join(root, "var"), { recursive: true });
  const folder = mkdtempSync(join(root, "var", "mutate-"));
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
  return folder;
}

const longestOutput = 4_000;

/** Null if the tests pass, else the end of their output. */
function testsIn(folder: string, command: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, [mutating]: "1" },
    });
    let output = "";
    const keep = (part: string) => {
      output = `${output}${part}`.slice(-longestOutput);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0 ? null : output));
  });
}

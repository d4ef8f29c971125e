import { join } from "node:path";
import { saveCheckedFiles } from "../compile/checked-files.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { type Diagnostic, isFinding, type Sources } from "../diagnostics/index.ts";
import { refusedOutput } from "../output/refused-output.ts";
import { save } from "../output/save.ts";
import { fileSystemProblem, lintProblem, outputProblem, type Problem } from "../review/problem.ts";
import type { Report } from "../review/report.ts";
import { loadService, type SilencedDiagnostic } from "./load-service.ts";
import { makeFiles } from "./make-files.ts";
import type { GenerateOptions } from "./options.ts";
import { planChanges } from "./plan-changes.ts";
import { problemsOf } from "./problems-of.ts";
import { readFormer } from "./read-former.ts";
import { reportOn } from "./report-on.ts";
import { Stop } from "./stop.ts";

export interface Result {
  /** 0 all is well, 1 drift or a change that needs an acknowledgement, 2 invalid input. */
  readonly exitCode: 0 | 1 | 2;
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that the files silence with a reason. */
  readonly silenced: readonly SilencedDiagnostic[];
  /** The user's files by path, for the frames of diagnostics. */
  readonly sources: Sources;
  readonly inputs: readonly string[];
  /** Of what the models say. */
  readonly modelsChecksum: string;
  readonly definition: ServiceDefinition | null;
  readonly problems: readonly Problem[];
  readonly report: Report | null;
  /** Reasons of acknowledged access by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
}

/** Runs the generator: load, check, resolve, plan, emit, report, write. Throws only for bugs of its own. */
export async function generate(options: GenerateOptions): Promise<Result> {
  const lint = options.mode === "lint" || options.mode === "check";
  const loaded = await loadService({ ...options, lint });
  const result: Result = { ...loaded, exitCode: 2, problems: [], report: null };
  if (loaded.definition === null) return result;
  if (options.mode === "definition") return { ...result, exitCode: 0 };
  if (options.mode === "lint") return withFindings({ ...result, exitCode: 0 });
  const refused = refusedOutput(options, loaded.inputs);
  if (refused !== null) return { ...result, problems: [outputProblem(options.out, refused)] };
  try {
    const produced = await produce(loaded.definition, result, options);
    return lint ? withFindings(produced) : produced;
  } catch (error) {
    if (error instanceof Stop) return stopped(result, error);
    const problem = fileSystemProblem(error);
    if (problem === null) throw error;
    return { ...result, problems: [problem] };
  }
}

/** The second half of a run: everything that follows from the definition. */
async function produce(
  definition: ServiceDefinition,
  result: Result,
  options: GenerateOptions,
): Promise<Result> {
  const { mode, root, out } = options;
  const { sources, acknowledged, modelsChecksum } = result;
  const read = { definition, sources, acknowledged, modelsChecksum, ...(await readFormer(options)) };
  const planned = { ...read, ...planChanges(read, options) };
  const made = { ...planned, ...(await makeFiles(planned, options)) };
  const reported = { ...made, ...reportOn(made) };
  const problems = problemsOf(reported, options);
  const { report, changes, checked } = reported;
  if (problems.length > 0) return { ...result, exitCode: 1, problems, report };
  if (mode === "write") save(join(root, out), [...changes.written, ...changes.removed]);
  if (mode !== "preview" && checked !== null) saveCheckedFiles(root, checked);
  return { ...result, exitCode: 0, report };
}

/** A run that looks closely fails on what nobody has silenced. */
function withFindings(result: Result): Result {
  const found = result.diagnostics.filter(({ code }) => isFinding(code)).length;
  if (found === 0 || result.exitCode === 2) return result;
  return { ...result, exitCode: 1, problems: [...result.problems, lintProblem(found)] };
}

function stopped(result: Result, { exitCode, reasons }: Stop): Result {
  const { problems = [], diagnostics = [], sources = new Map<string, string>() } = reasons;
  return {
    ...result,
    exitCode,
    problems,
    diagnostics: [...result.diagnostics, ...diagnostics],
    sources: new Map([...result.sources, ...sources]),
  };
}

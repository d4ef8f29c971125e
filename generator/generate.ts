import { join } from "node:path";
import { matrixPath } from "./access/matrix.ts";
import type { ServiceDefinition } from "./definition/definition.ts";
import { type Diagnostic, isFinding, type Sources } from "./diagnostics/index.ts";
import { emit } from "./emit/emit.ts";
import { acknowledgedPath } from "./load/acknowledged.ts";
import { loadService, type SilencedDiagnostic } from "./load/index.ts";
import { migrationPath, type NoHistory, readHistory } from "./migrations/history.ts";
import { lookAlikes } from "./migrations/look-alikes.ts";
import { type MigrationPlan, planMigration, unaccepted, unknownIds } from "./migrations/plan.ts";
import { refusals } from "./migrations/refusals.ts";
import type { Change } from "./migrations/schema.ts";
import type { AccessChanges } from "./report/access-changes.ts";
import { unknownAccessProblem, wideningProblem } from "./report/access-problem.ts";
import { headsProblem, rebaseProblem } from "./report/branch-problems.ts";
import { commandOf } from "./report/command.ts";
import { followed, lastState, stateAt } from "./report/former-state.ts";
import { migrationReports, migrationsSince } from "./report/migration-report.ts";
import {
  baseProblem,
  destructiveProblem,
  driftProblem,
  editedProblem,
  fileSystemProblem,
  historyProblem,
  lintProblem,
  outputProblem,
  type Problem,
  refusedProblem,
  unknownFilesProblem,
  unknownStepsProblem,
} from "./report/problem.ts";
import { renameProblem } from "./report/rename-problem.ts";
import { type Report, reportOf } from "./report/report.ts";
import { type Changes, changesTo } from "./write/changes.ts";
import { type CheckResult, check } from "./write/check.ts";
import { saveCheckedFiles } from "./write/checked-files.ts";
import { finish } from "./write/finish.ts";
import { type OutputFolder, readOutputFolder } from "./write/output-folder.ts";
import { refusedOutput } from "./write/refused-output.ts";
import { save } from "./write/save.ts";

export interface GenerateOptions {
  /** The project: all other paths are relative to it. */
  readonly root: string;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  /**
   * `check` and `preview` write nothing; `check` counts every difference as a problem, and what `lint` finds. `lint` and
   * `definition` end as soon as there is a definition.
   */
  readonly mode: "write" | "check" | "preview" | "definition" | "lint";
  /** Overwrite files that were edited by hand. */
  readonly force: boolean;
  /** Ids of destructive steps that somebody has accepted. */
  readonly accepted: readonly string[];
  /** Migrations of a merged branch to derive anew. */
  readonly rebase: readonly string[];
  /** A commit to compare with, instead of the last run. */
  readonly base: string | null;
  /** False leaves out the compile check, for callers that do it themselves. */
  readonly compile: boolean;
}

export interface Result {
  /** 0 all is well, 1 drift or a change that needs an acknowledgement, 2 invalid input. */
  readonly exitCode: 0 | 1 | 2;
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that the files silence with a reason. */
  readonly silenced: readonly SilencedDiagnostic[];
  /** The user's files by path, for the frames of diagnostics. */
  readonly sources: Sources;
  readonly inputs: readonly string[];
  readonly definition: ServiceDefinition | null;
  readonly problems: readonly Problem[];
  readonly report: Report | null;
  /** Reasons of acknowledged access by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
}

/** Runs the generator: load, check, resolve, emit, write, report. Throws only for bugs of its own. */
export async function generate(options: GenerateOptions): Promise<Result> {
  const lint = options.mode === "lint" || options.mode === "check";
  const loaded = await loadService({ ...options, lint });
  const result: Result = { ...loaded, exitCode: 2, problems: [], report: null };
  if (loaded.definition === null) return result;
  if (options.mode === "lint") return withFindings({ ...result, exitCode: 0 });
  if (options.mode === "definition") return { ...result, exitCode: 0 };
  const refused = refusedOutput(options, loaded.inputs);
  if (refused !== null) return { ...result, problems: [outputProblem(options.out, refused)] };
  try {
    const produced = await produce(loaded.definition, result, options);
    return options.mode === "check" ? withFindings(produced) : produced;
  } catch (error) {
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
  const { root, out } = options;
  const base = options.base === null ? null : await stateAt(options.base, options);
  if (base !== null && "problem" in base) return { ...result, problems: [baseProblem(base.problem)] };
  const folder = readOutputFolder(join(root, out));
  const history = await readHistory(folder, out, options.rebase);
  if (!("snapshot" in history)) return withoutHistory(result, history, options);

  const refused = refusals(history.snapshot.tables, definition);
  if (refused.length > 0) return stopped(result, refusedProblem(refused));
  const plan = planMigration(definition, history.snapshot, history.names);
  const unknown = unknownIds(plan, options.accepted);
  if (unknown.length > 0)
    return { ...result, problems: [unknownStepsProblem(unknown, unaccepted(plan, []))] };
  const accepted = [...options.accepted, ...(history.rebased?.accepted ?? [])];
  const alike = lookAlikes(plan, accepted);
  if (alike.length > 0) return stopped(result, renameProblem(alike, { ...result, definition, options }));
  const emitted = emit(definition, plan, out);
  const kept = history.names.map(migrationPath);
  const discarded = history.rebased?.removed.map(migrationPath) ?? [];
  // The formatter works in a process of its own, while the compiler looks at the same texts.
  const formatting = finish(emitted, kept, folder, root);
  const [texts, checked] = await Promise.all([
    formatting,
    options.compile ? check(options, emitted, folder) : null,
  ]);
  if (checked !== null && checked.diagnostics.length > 0) return withErrors(result, checked);

  const changes = changesTo(folder, texts, kept, discarded);
  const { acknowledged } = result;
  const run = { definition, plan, history, changes, texts, acknowledged };
  const since = base === null ? [] : await migrationsSince(base.snapshot.migration, history, folder);
  const former =
    base === null
      ? lastState(folder, plan, changes, texts.get(matrixPath) ?? "")
      : followed(base, since, plan);
  const report = reportOf(run, former, migrationReports(run, former, since));
  const destructive = unaccepted(plan, accepted);
  const problems = problemsOf(options, plan, destructive, changes, folder, {
    ...report,
    known: former.matrix !== null,
    acknowledged,
  });
  if (problems.length > 0) return { ...result, exitCode: 1, problems, report };
  if (options.mode === "write") save(join(root, out), [...changes.written, ...changes.removed]);
  if (options.mode !== "preview" && checked !== null) saveCheckedFiles(root, checked.checked);
  return { ...result, exitCode: 0, report };
}

/** What a run opens, and what of that somebody has acknowledged. */
interface Access extends AccessChanges {
  /** Whether it can be told what was open before. */
  readonly known: boolean;
  readonly acknowledged: ReadonlyMap<string, string>;
}

function problemsOf(
  options: GenerateOptions,
  plan: MigrationPlan,
  destructive: readonly Change[],
  changes: Changes,
  { lockReadable }: OutputFolder,
  access: Access,
): Problem[] {
  const { mode, force, accepted, out } = options;
  const edited = !force && changes.edited.length > 0;
  const command = commandOf({
    ...options,
    accepted: [...accepted, ...destructive.map(({ id }) => id)],
    force: force || edited,
  });
  const { acknowledged } = access;
  const widened = wideningProblem(access, { file: acknowledgedPath(options.models), acknowledged, command });
  const problems: Problem[] = [];
  if (!access.known) problems.push(unknownAccessProblem(out));
  if (widened !== null) problems.push(widened);
  if (plan.migration !== null && destructive.length > 0)
    problems.push(destructiveProblem(destructive, plan.migration, command));
  if (edited) problems.push(editedProblem(changes.edited, { out, lockReadable, command }));
  if (mode !== "check") return problems;
  if (changes.unknown.length > 0) problems.push(unknownFilesProblem(changes.unknown, out));
  const drift = changes.written.length > 0 || changes.removed.length > 0;
  // A hand edit has been shown as a diff already.
  if (drift && problems.length === 0) problems.push(driftProblem(changes, { out, lockReadable, command }));
  return problems;
}

/** A run that looks closely fails on what nobody has silenced. */
function withFindings(result: Result): Result {
  const found = result.diagnostics.filter(({ code }) => isFinding(code)).length;
  if (found === 0 || result.exitCode === 2) return result;
  return { ...result, exitCode: 1, problems: [...result.problems, lintProblem(found)] };
}

function stopped(result: Result, problem: Problem): Result {
  return { ...result, exitCode: 1, problems: [problem] };
}

function withoutHistory(result: Result, reason: NoHistory, options: GenerateOptions): Result {
  if ("refused" in reason) return { ...result, problems: [rebaseProblem(reason.refused, reason.candidates)] };
  if ("broken" in reason) return stopped(result, historyProblem(reason.broken, reason.fix, options.out));
  return stopped(
    result,
    headsProblem(reason.branches, (rebase) => commandOf({ ...options, rebase })),
  );
}

function withErrors(result: Result, { diagnostics, sources }: CheckResult): Result {
  return {
    ...result,
    exitCode: 2,
    diagnostics: [...result.diagnostics, ...diagnostics],
    sources: new Map([...result.sources, ...sources]),
  };
}

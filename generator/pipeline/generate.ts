import { join } from "node:path";
import { checkOperationNames } from "../check/check-operation-names.ts";
import { checkService } from "../check/index.ts";
import { compileOutput } from "../compile/compile-output.ts";
import { usersScripts } from "../compile/users-files.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { commandOf } from "../diagnostics/command.ts";
import { createReporter, isFinding } from "../diagnostics/index.ts";
import { Stop, stopOf } from "../diagnostics/stop.ts";
import { emit } from "../emit/emit.ts";
import { formatOutput } from "../format/format.ts";
import { lintService } from "../lint/index.ts";
import { lintProblem, settleFindings } from "../lint/silence-findings.ts";
import { withComputedSchemas } from "../load/computed-schemas/index.ts";
import { type InputPlaces, loadInputs } from "../load/index.ts";
import { planChanges } from "../migrations/plan-changes.ts";
import { keptMigrations, requireHistory } from "../migrations/read-history.ts";
import { changesTo, unifiedDiff } from "../output/file-changes.ts";
import { migrationPath } from "../output/output-files.ts";
import { readOutputFolder } from "../output/output-folder.ts";
import { requireKnownFormat, requireOutput } from "../output/output-problems.ts";
import { save } from "../output/save.ts";
import { buildGraph } from "../resolve/model-graph.ts";
import { resolveService } from "../resolve/resolve.ts";
import { checkAcknowledged } from "../review/access/check-acknowledged.ts";
import { readBaselines } from "../review/baselines.ts";
import { review } from "../review/review.ts";
import type { GenerateOptions, GenerateResult, ReadResult } from "./result.ts";

/** Runs the generator: first the stages that read, then those that make files. Throws only for bugs of its own. */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const { mode } = options;
  const lint = mode === "lint" || mode === "check";
  let result = nothingRead;
  try {
    const read = await readDefinition({ ...options, lint, proposeNames: mode === "lint" });
    result = { ...nothingRead, ...read };
    if (read.definition === null) return { ...result, exitCode: 2 };
    if (mode === "definition") return result;
    if (mode === "lint") return withFindings(result);
    const made = { ...result, ...(await makeFiles(read, read.definition, options)) };
    return lint ? withFindings(made) : made;
  } catch (error) {
    return stopped(result, error);
  }
}

/** The result of a run that could not read its inputs. */
const nothingRead: GenerateResult = {
  diagnostics: [],
  silenced: [],
  definition: null,
  inputs: [],
  modelsChecksum: "",
  customMigrations: [],
  sources: new Map(),
  acknowledged: new Map(),
  exitCode: 0,
  problems: [],
  report: null,
  diff: "",
};

/** Where the inputs are, and whether to look for what works and may be a mistake too, where there is no error. */
interface ReadOptions extends InputPlaces {
  readonly lint?: boolean;
  /** Whether lint proposes names for repeated conditions. */
  readonly proposeNames?: boolean;
  /** Whether the schemas of routes matter, for which files with computed ones have to run. */
  readonly schemas?: boolean;
  /** The output folder. It contains no app code. */
  readonly out?: string;
}

/** The stages that read: load, check, resolve, lint. Never throws for bad input. */
export async function readDefinition({
  lint = false,
  proposeNames = false,
  schemas = true,
  out = "generated",
  ...places
}: ReadOptions): Promise<ReadResult> {
  const { report, findings, hasErrors } = createReporter();
  const read = await loadInputs(places, report, out);
  const { models, conditions, manifest, acknowledged, source } = read;
  const graph = buildGraph(models, conditions);
  if (read.complete) checkService({ ...read, graph, report });
  const runs = schemas && !hasErrors();
  const routes = runs ? await withComputedSchemas(read.routes, places.root, { lint, report }) : read.routes;
  const loaded = { ...read, routes };
  const resolved = manifest === null || hasErrors() ? null : resolveService(graph, manifest, loaded, source);
  checkAcknowledged(acknowledged, resolved, report);
  checkOperationNames(resolved, loaded.routes, report);
  const definition = hasErrors() ? null : resolved;
  const linted = lint && manifest !== null && definition !== null;
  const code = new Map(linted ? usersScripts(places.root, places.models, out) : []);
  const sources = new Map([...code, ...loaded.sources]);
  if (linted) {
    lintService({ ...loaded, graph, definition, manifest, code, proposeNames, report });
  }
  const ran = (code: string) => linted && (proposeNames || code !== "repeated-condition");
  return {
    ...settleFindings(findings(), { ...loaded, sources }, ran),
    definition,
    inputs: loaded.inputs,
    modelsChecksum: loaded.modelsChecksum,
    customMigrations: loaded.customMigrations,
    sources,
    acknowledged: new Map(acknowledged.map(({ id, reason }) => [id.value, reason?.value ?? ""])),
  };
}

/**
 * The stages that make files: history, plan, emit, format, compile, review, write. Nothing touches the disk before the last
 * one. A stage that cannot go on throws a `Stop`.
 */
async function makeFiles(
  { inputs, sources, acknowledged, modelsChecksum, customMigrations }: ReadResult,
  definition: ServiceDefinition,
  options: GenerateOptions,
): Promise<Pick<GenerateResult, "exitCode" | "problems" | "report" | "diff">> {
  const { root, out, mode } = options;
  requireOutput(options, inputs);
  const folder = readOutputFolder(join(root, out));
  if (!options.force) requireKnownFormat({ out, folder, command: commandOf({ ...options, force: true }) });
  const history = await requireHistory(folder, options);
  const bases = await readBaselines({ root, out, folder, history, customMigrations }, options.base);
  const { plan, accepted } = planChanges(definition, { history, customMigrations }, sources, options);
  const emitted = emit(definition, plan, out);
  // The formatter runs in its own process, while the compiler checks the same texts.
  const [texts, compiled] = await Promise.all([
    formatOutput(emitted, { kept: keptMigrations(history), models: modelsChecksum }, folder),
    compileOutput(emitted, definition, folder, options),
  ]);
  if (compiled.diagnostics.length > 0) throw new Stop(2, compiled);
  const changes = changesTo(folder, texts, history.rebased?.removed.map(migrationPath) ?? []);
  const run = { definition, acknowledged, folder, history, bases, plan, accepted, texts, changes };
  const { report, problems } = review(run, { ...options, check: mode === "check" });
  if (problems.length > 0) return { exitCode: 1, problems, report, diff: "" };
  if (mode === "write") save(join(root, out), [...changes.written, ...changes.removed]);
  const diff = mode === "preview" ? unifiedDiff([...changes.written, ...changes.removed], out) : "";
  return { exitCode: 0, problems, report, diff };
}

/** `--lint` and `--check` fail on findings that are not silenced. */
function withFindings(result: GenerateResult): GenerateResult {
  const found = result.diagnostics.filter(({ code }) => isFinding(code)).length;
  if (found === 0 || result.exitCode === 2) return result;
  return { ...result, exitCode: 1, problems: [...result.problems, lintProblem(found)] };
}

function stopped(result: GenerateResult, error: unknown): GenerateResult {
  const stop = stopOf(error);
  if (stop === null) throw error;
  const { problems = [], diagnostics = [], sources = new Map<string, string>() } = stop.reasons;
  return {
    ...result,
    exitCode: stop.exitCode,
    problems,
    diagnostics: [...result.diagnostics, ...diagnostics],
    sources: new Map([...result.sources, ...sources]),
  };
}

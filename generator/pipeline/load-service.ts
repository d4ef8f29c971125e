import { resolve } from "node:path";
import { checkService } from "../check/index.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import {
  catalogue,
  createLocator,
  createReporter,
  type Diagnostic,
  diagnosticsOf,
  type Location,
  type Report,
  type Sources,
  type Span,
} from "../diagnostics/index.ts";
import { lintService, type Silenced, silence } from "../lint/index.ts";
import {
  hookFiles,
  type InputFile,
  modelFiles,
  readInput,
  shownPath,
  strayHookFiles,
} from "../load/files.ts";
import { mergeModels } from "../load/merge-models.ts";
import { modelsChecksum } from "../load/models-checksum.ts";
import { parseInput } from "../load/parse-input.ts";
import { readManifest } from "../load/read-manifest.ts";
import { buildGraph } from "../resolve/model-graph.ts";
import { resolveService } from "../resolve/resolve.ts";
import { acknowledgedPath, checkAcknowledged, readAcknowledged } from "../review/access/acknowledged.ts";

/** Where the inputs are. `models` and `manifest` are paths, relative to `root` or absolute; so is `root`, to the process. */
export interface LoadOptions {
  readonly models: string;
  readonly manifest: string;
  readonly root: string;
  /** Look for what works and may be a mistake too, where there is no error. */
  readonly lint?: boolean;
}

export interface LoadResult {
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that a `lint_ignore` silences. */
  readonly silenced: readonly SilencedDiagnostic[];
  /** Null when there is an error; warnings leave it. */
  readonly definition: ServiceDefinition | null;
  /** The files read, relative to `root`, for `--watch`. Those that are missing but wanted are among them. */
  readonly inputs: readonly string[];
  /** Of what the models say: see `modelsChecksum`. */
  readonly modelsChecksum: string;
  /** The texts read, for `renderDiagnostics`. */
  readonly sources: Sources;
  /** Reasons of the access that somebody has acknowledged, by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
}

/** A finding that somebody has decided about: why, and where that stands. */
export interface SilencedDiagnostic {
  readonly diagnostic: Diagnostic;
  readonly reason: string;
  readonly at: Location;
}

/** Reads, checks and resolves the models and the manifest. Never throws for bad input. */
export async function loadService(options: LoadOptions): Promise<LoadResult> {
  const root = resolve(options.root);
  const files = await readFiles(root, options);
  const inputs = [...files.models, files.manifest, ...files.acknowledged];
  const sources = new Map(inputs.flatMap(({ file, text }) => (text === null ? [] : [[file, text] as const])));
  const { report, findings } = createReporter();
  const hasErrors = () => findings().some(({ code }) => catalogue[code].severity === "error");
  const { modelTrees, manifest, acknowledged } = parsed(files, report);
  const models = mergeModels(modelTrees, report);
  const graph = buildGraph(models);
  // What a file that cannot be read would have held is missed everywhere else.
  if (modelTrees.every((tree) => tree !== null)) {
    const { hooks, strayHooks } = files;
    checkService({ models, graph, manifest, hooks, strayHooks, sources, report });
  }
  const source = shownPath(root, options.models);
  const resolved =
    manifest === null || hasErrors() ? null : resolveService(graph, manifest, files.hooks, source);
  checkAcknowledged(acknowledged, resolved, report);
  const definition = hasErrors() ? null : resolved;
  const linted = options.lint === true && manifest !== null && definition !== null;
  if (linted) lintService({ graph, definition, manifest, sources, report });
  const { open, silenced, unused } = silence(findings(), models, manifest);
  const locate = createLocator(sources);
  return {
    // Which entries are needed is known when everything was looked for.
    diagnostics: diagnosticsOf(linted ? [...open, ...unused] : open, locate),
    silenced: silencedOf(silenced, locate),
    definition,
    inputs: inputs.map(({ file }) => file),
    modelsChecksum: modelsChecksum(files.models, files.manifest, files.hooks.keys()),
    sources,
    acknowledged: new Map(acknowledged.map(({ id, reason }) => [id.value, reason?.value ?? ""])),
  };
}

/** The files of a project, as they stand. */
interface Files {
  readonly models: readonly InputFile[];
  readonly manifest: InputFile;
  /** None or one. */
  readonly acknowledged: readonly InputFile[];
  readonly hooks: ReadonlyMap<string, string>;
  readonly strayHooks: readonly string[];
}

async function readFiles(root: string, { models, manifest }: LoadOptions): Promise<Files> {
  const paths = await modelFiles(root, models);
  const acknowledged = await readInput(root, acknowledgedPath(models));
  return {
    models: await Promise.all(paths.map((path) => readInput(root, path))),
    manifest: await readInput(root, manifest),
    acknowledged: isAbsent(acknowledged) ? [] : [acknowledged],
    hooks: await hookFiles(root, models),
    strayHooks: await strayHookFiles(root, models),
  };
}

function parsed({ models, manifest, acknowledged }: Files, report: Report) {
  const tree = parseInput("manifest", manifest, report);
  return {
    manifest: tree === null ? null : readManifest(manifest.file, tree),
    modelTrees: models.map((input) => parseInput("models", input, report)),
    acknowledged: acknowledged.flatMap((input) => {
      const found = parseInput("acknowledged", input, report);
      return found === null ? [] : readAcknowledged(found);
    }),
  };
}

/** Only the file of acknowledged access may be absent. */
function isAbsent({ problem }: InputFile): boolean {
  return problem === "does not exist";
}

function silencedOf(silenced: readonly Silenced[], locate: (at: Span) => Location): SilencedDiagnostic[] {
  return silenced.flatMap(({ finding, code, reason }) =>
    diagnosticsOf([finding], locate).map((diagnostic) => ({ diagnostic, reason, at: locate(code.at) })),
  );
}

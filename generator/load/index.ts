import { resolve } from "node:path";
import { checkService } from "../check/index.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { buildGraph } from "../definition/model-graph.ts";
import { resolveService } from "../definition/resolve.ts";
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
import { acknowledgedPath, checkAcknowledged, readAcknowledged } from "./acknowledged.ts";
import { hookFiles, type InputFile, modelFiles, readInput, shownPath, strayHookFiles } from "./files.ts";
import { type JsonNode, parseJson } from "./json-tree.ts";
import type { RawModel } from "./raw.ts";
import { readManifest } from "./read-manifest.ts";
import { readModels } from "./read-models.ts";
import { checkShape } from "./shape.ts";
import { type Document, documents } from "./subject.ts";

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
  const paths = await modelFiles(root, options.models);
  const modelInputs = await Promise.all(paths.map((path) => readInput(root, path)));
  const manifestInput = await readInput(root, options.manifest);
  const acknowledgedInput = await readInput(root, acknowledgedPath(options.models));
  const hooks = await hookFiles(root, options.models);
  const strayHooks = await strayHookFiles(root, options.models);

  const further = isAbsent(acknowledgedInput) ? [] : [acknowledgedInput];
  const inputs = [...modelInputs, manifestInput, ...further];
  const sources = new Map(inputs.flatMap(({ file, text }) => (text === null ? [] : [[file, text] as const])));
  const { report, findings } = createReporter();
  const manifestTree = parseInput("manifest", manifestInput, report);
  const manifest = manifestTree === null ? null : readManifest(manifestInput.file, manifestTree);
  const modelTrees = modelInputs.map((input) => parseInput("models", input, report));
  const acknowledged = further.flatMap((input) => {
    const tree = parseInput("acknowledged", input, report);
    return tree === null ? [] : readAcknowledged(tree);
  });
  const models = merge(modelTrees, report);
  const graph = buildGraph(models);
  // What a file that cannot be read would have held is missed everywhere else.
  if (modelTrees.every((tree) => tree !== null))
    checkService({ models, graph, manifest, hooks, strayHooks, sources, report });

  const hasErrors = () => findings().some(({ code }) => catalogue[code].severity === "error");
  const source = shownPath(root, options.models);
  const resolved = manifest === null || hasErrors() ? null : resolveService(graph, manifest, hooks, source);
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
    sources,
    acknowledged: new Map(acknowledged.map(({ id, reason }) => [id.value, reason?.value ?? ""])),
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

function parseInput(document: Document, input: InputFile, report: Report): JsonNode | null {
  const { file, text, problem, invalid } = input;
  const start = { file, offset: 0, length: 1 };
  if (text === null) {
    const hint = document === "acknowledged" ? null : `name another one with --${document}`;
    report("missing-file", start, `the file ${problem}`, hint);
    return null;
  }
  if (invalid !== null) {
    const byte = `0x${invalid.byte.toString(16).toUpperCase().padStart(2, "0")}`;
    const message = `the file is not UTF-8: the byte ${byte} at offset ${invalid.offset}`;
    report("invalid-json", { file, offset: invalid.index, length: 1 }, message, "save it as UTF-8");
    return null;
  }
  const tree = parseJson(file, text, report);
  if (tree === null) return null;
  if (tree.kind !== "object") {
    report(
      "not-an-object",
      tree.at,
      document === "models"
        ? "the models are an object, keyed by model"
        : `${documents[document]} is an object`,
    );
    return null;
  }
  checkShape(document, tree, report);
  return tree;
}

/** The models of all files. Of a key that stands twice the first counts; the built-in `users` cannot be extended yet. */
function merge(trees: readonly (JsonNode | null)[], report: Report): RawModel[] {
  const models = new Map<string, RawModel>();
  for (const tree of trees) {
    for (const model of tree === null ? [] : readModels(tree)) {
      const first = models.get(model.key);
      if (first === undefined) models.set(model.key, model);
      else report("duplicate-model", model.at, `model "${model.key}" stands in ${first.at.file} as well`);
    }
  }
  const accounts = models.get("users");
  if (accounts !== undefined) {
    const message = '"users" extends the built-in accounts, which this version does not have yet';
    report(
      "accounts-unsupported",
      accounts.at,
      message,
      "remove the entry; keep further facts about people in a model of your own",
    );
    models.delete("users");
  }
  return [...models.values()];
}

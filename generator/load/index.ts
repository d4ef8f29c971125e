import { basename, posix } from "node:path";
import { modelsChecksumText } from "../../vocabulary/models-folder.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ReportDiagnostic, Sources } from "../diagnostics/index.ts";
import { checksum, parsedJson } from "../output/lock-file.ts";
import { mergeUsers, rawBuiltInUsers, usersKey } from "./built-in-users.ts";
import {
  customMigrationFiles,
  hookFiles,
  type InputFile,
  jobFiles,
  mailFiles,
  modelFiles,
  readInput,
  routeFiles,
  shownPath,
  strayHookFiles,
} from "./files.ts";
import { type JsonNode, parseJsonTree } from "./json-tree.ts";
import type { RawAcknowledgement, RawCondition, RawError, RawManifest, RawModel, RawRoute } from "./raw.ts";
import { membersOf } from "./read.ts";
import { acknowledgedPath, readAcknowledged } from "./read-acknowledged.ts";
import { type CustomMigration, readCustomMigrations } from "./read-custom-migrations.ts";
import { type ModelHooks, readModelHooks } from "./read-hooks.ts";
import { type RawJobs, readJobLiterals, readJobs } from "./read-jobs.ts";
import { type RawMails, readMails } from "./read-mails.ts";
import { errorsPath, readErrors, readRawManifest } from "./read-manifest.ts";
import { readRawConditions, readRawModels } from "./read-models.ts";
import { readRoutes } from "./read-routes.ts";
import { checkShape, documentNames, type ShapedFile } from "./shape.ts";

const names = /\b(?:jobs|mail|sms)\b/;
const imported = /\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g;
/** Matches strings too, so that they are kept: a template can contain code. Does not match inside regular expressions such as `[/*]`. */
const comments =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)|(?<![^\s(){},;])(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g;

/**
 * Whether code files, or files that they import, contain `jobs`, `mail` or `sms`: with these a context adds jobs to the queue. Skips
 * the output folder, where these are names of models and fields.
 */
async function namesQueue(root: string, files: readonly string[], out: string): Promise<boolean> {
  const queue = [...files];
  const seen = new Set(queue);
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const { text } = await readInput(root, file);
    const code = (text ?? "").replace(comments, (_, kept?: string) => kept ?? " ");
    if (names.test(code.replace(imported, ""))) return true;
    for (const [, path = ""] of code.matchAll(imported)) {
      // TypeScript also accepts the name of the built file.
      const next = posix.join(posix.dirname(file), path).replace(/\.js$/, ".ts");
      if (seen.has(next) || next.startsWith(`${out}/`)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return false;
}

/** The paths of the inputs. `models` and `manifest` are relative to `root` or absolute. */
export interface InputPlaces {
  readonly root: string;
  readonly models: string;
  readonly manifest: string;
}

/** The parsed input files, before defaults and checks. */
export interface Loaded {
  /** The models of all files, and the built-in model. */
  readonly models: readonly RawModel[];
  /** The named conditions of all files. */
  readonly conditions: readonly RawCondition[];
  /** Whether all models files could be read. If not, unknown names can be a consequence. */
  readonly complete: boolean;
  /** Null if it could not be read. */
  readonly manifest: RawManifest | null;
  readonly acknowledged: readonly RawAcknowledgement[];
  /** Custom errors, in declared order. */
  readonly errors: readonly RawError[];
  readonly mails: RawMails;
  readonly jobs: RawJobs;
  /** Hook files by their names without `.ts`. */
  readonly hooks: ReadonlyMap<string, string>;
  readonly strayHooks: readonly string[];
  readonly modelHooks: ModelHooks;
  /** Whether hooks or routes, or files that they import, contain `jobs`, `mail` or `sms`. */
  readonly namesQueue: boolean;
  /** Custom routes, in the order of their files. */
  readonly routes: readonly RawRoute[];
  /** Files in the folder of the routes that are not read. */
  readonly strayRoutes: readonly string[];
  /** Custom SQL. */
  readonly customMigrations: readonly CustomMigration[];
  readonly strayMigrations: readonly string[];
  /** The models file, for messages. */
  readonly source: string;
  /** The input files, relative to `root`, for `--watch`. Includes missing files that would be read. */
  readonly inputs: readonly string[];
  /** The texts of the input files, for frames of diagnostics. */
  readonly sources: Sources;
  /** The checksum of models, manifest and names of code files, for the lock. */
  readonly modelsChecksum: string;
}

/** Reads the models, the manifest and the files next to them. Reports values of the wrong shape. `out` is the output folder. */
export async function loadInputs(
  places: InputPlaces,
  report: ReportDiagnostic,
  out = "generated",
): Promise<Loaded> {
  const files = await readFiles(places);
  const { models, manifest, acknowledged, errors, mails, jobs, hooks, strayHooks } = files;
  const inputs = [...models, manifest, ...acknowledged, ...errors, ...mails, ...jobs.files];
  const tree = parseInput("manifest", manifest, report);
  const modelTrees = models.map((input) => parseInput("models", input, report));
  const entries = acknowledged.flatMap((input) => parseInput("acknowledged", input, report) ?? []);
  const errorTrees = errors.flatMap((input) => parseInput("errors", input, report) ?? []);
  const merged = mergeModels(modelTrees, report);
  const modelHooks = await readModelHooks(places.root, merged, hooks);
  const routes = readRoutes(files.routes, report);
  for (const { file, text } of [
    ...modelHooks.values(),
    ...files.routes,
    ...jobs.files,
    ...files.customMigrations,
  ])
    if (text?.startsWith("\ufeff"))
      report(
        "byte-order-mark",
        { file, offset: 0, length: 1 },
        "the file begins with a byte order mark",
        "save it as UTF-8 without one",
      );
  const isReadable =
    [tree, ...modelTrees].every((found) => found !== null) && errorTrees.length === errors.length;
  return {
    models: merged,
    conditions: mergeConditions(modelTrees, report),
    complete: modelTrees.every((found) => found !== null),
    manifest: tree === null ? null : readRawManifest(manifest.file, tree),
    acknowledged: entries.flatMap(readAcknowledged),
    errors: errorTrees.flatMap(readErrors),
    mails: readMails(mails),
    jobs: readJobs(jobs.files, jobs.strays, readJobLiterals(jobs.files)),
    hooks,
    strayHooks,
    modelHooks,
    namesQueue: await namesQueue(
      places.root,
      [...hooks.values(), ...files.routes.map(({ file }) => file)],
      out,
    ),
    routes,
    strayRoutes: files.strayRoutes,
    customMigrations: readCustomMigrations(files.customMigrations),
    strayMigrations: files.strayMigrations,
    source: shownPath(places.root, places.models),
    inputs: inputs.map(({ file }) => file),
    sources: new Map(
      [...inputs, ...modelHooks.values(), ...files.routes, ...files.customMigrations].flatMap(
        ({ file, text }) => (text === null ? [] : [[file, text] as const]),
      ),
    ),
    // Without it nothing is written anyway, and deep nesting would overflow the stack.
    modelsChecksum: isReadable ? modelsChecksum(files) : "",
  };
}

/** The input files of a project. */
interface Files {
  readonly models: readonly InputFile[];
  readonly manifest: InputFile;
  /** None or one. */
  readonly acknowledged: readonly InputFile[];
  /** None or one. */
  readonly errors: readonly InputFile[];
  readonly mails: readonly InputFile[];
  readonly jobs: { readonly files: readonly InputFile[]; readonly strays: readonly string[] };
  readonly hooks: ReadonlyMap<string, string>;
  readonly strayHooks: readonly string[];
  readonly routes: readonly InputFile[];
  readonly strayRoutes: readonly string[];
  readonly customMigrations: readonly InputFile[];
  readonly strayMigrations: readonly string[];
}

async function readFiles({ root, models, manifest }: InputPlaces): Promise<Files> {
  const paths = await modelFiles(root, models);
  const routes = await routeFiles(root, models);
  const own = await customMigrationFiles(root, models);
  const jobs = await jobFiles(root, models);
  return {
    models: await Promise.all(paths.map((path) => readInput(root, path))),
    manifest: await readInput(root, manifest),
    acknowledged: await readOptional(root, acknowledgedPath(models)),
    errors: await readOptional(root, errorsPath(models)),
    mails: await Promise.all((await mailFiles(root, models)).map((path) => readInput(root, path))),
    jobs: { ...jobs, files: await Promise.all(jobs.files.map((path) => readInput(root, path))) },
    hooks: await hookFiles(root, models),
    strayHooks: await strayHookFiles(root, models),
    routes: await Promise.all(routes.files.map((path) => readInput(root, path))),
    strayRoutes: routes.strays,
    customMigrations: await Promise.all(own.files.map((path) => readInput(root, path))),
    strayMigrations: own.strays,
  };
}

/** Reads a file that can be absent. */
async function readOptional(root: string, path: string): Promise<InputFile[]> {
  const input = await readInput(root, path);
  return input.problem === "does not exist" ? [] : [input];
}

function modelsChecksum({ models, manifest, errors, hooks, routes, jobs, customMigrations }: Files): string {
  const contents = [...models, ...errors].map(
    ({ file, text }) => [basename(file), parsedJson(text ?? "")] as const,
  );
  const namesOf = (inputs: readonly InputFile[]) => inputs.map(({ file }) => basename(file));
  const code = {
    hooks: [...hooks.keys()],
    routes: namesOf(routes),
    jobs: namesOf(jobs.files),
    migrations: namesOf(customMigrations),
  };
  return checksum(modelsChecksumText(contents, parsedJson(manifest.text ?? ""), code));
}

/**
 * The models of all files, and then the built-in `users`, extended by an entry `users`. If a key appears twice, the first one
 * counts.
 */
function mergeModels(trees: readonly (JsonNode | null)[], report: ReportDiagnostic): RawModel[] {
  const declared = new Map<string, RawModel>();
  for (const tree of trees) {
    for (const model of tree === null ? [] : readRawModels(tree)) {
      const first = declared.get(model.key);
      if (first === undefined) declared.set(model.key, model);
      else report("duplicate-model", model.at, `model "${model.key}" is in ${first.at.file} as well`);
    }
  }
  const entry = declared.get(usersKey);
  declared.delete(usersKey);
  const users = rawBuiltInUsers();
  return [...declared.values(), entry === undefined ? users : mergeUsers(users, entry, report)];
}

/** The named conditions of all files. If a name appears twice, the first one counts. */
function mergeConditions(trees: readonly (JsonNode | null)[], report: ReportDiagnostic): RawCondition[] {
  const declared = new Map<string, RawCondition>();
  for (const tree of trees) reportSpecialKeys(tree, report);
  for (const condition of trees.flatMap((tree) => (tree === null ? [] : readRawConditions(tree)))) {
    const first = declared.get(condition.name);
    if (first === undefined) declared.set(condition.name, condition);
    else
      report(
        "duplicate-condition",
        condition.at,
        `the condition "${condition.name}" is in ${first.at.file} as well`,
      );
  }
  return [...declared.values()];
}

/** Keys of models begin with a letter. */
function reportSpecialKeys(tree: JsonNode | null, report: ReportDiagnostic): void {
  const known = ["$schema", "$conditions"];
  for (const [name, { key }] of tree === null ? [] : membersOf(tree)) {
    if (!name.startsWith("$") || known.includes(name)) continue;
    const hint = didYouMean(name, known) ?? `known here: ${known.join(", ")}, and keys of models`;
    report("unknown-key", key, `the models file has the unknown key "${name}"`, hint);
  }
}

/** Parses and checks a JSON file, and reports errors. Null if the file is not a JSON object. */
function parseInput(document: ShapedFile, input: InputFile, report: ReportDiagnostic): JsonNode | null {
  const { file, text, problem, invalid } = input;
  const start = { file, offset: 0, length: 1 };
  if (text === null) {
    const hint =
      document === "acknowledged" || document === "errors" ? null : `name another one with --${document}`;
    report("missing-file", start, `the file ${problem}`, hint);
    return null;
  }
  if (invalid !== null) {
    const byte = `0x${invalid.byte.toString(16).toUpperCase().padStart(2, "0")}`;
    const message = `the file is not UTF-8: the byte ${byte} at offset ${invalid.offset}`;
    report("invalid-json", { file, offset: invalid.index, length: 1 }, message, "save it as UTF-8");
    return null;
  }
  const tree = parseJsonTree(file, text, report);
  if (tree === null) return null;
  if (tree.kind !== "object") {
    report(
      "not-an-object",
      tree.at,
      document === "models"
        ? "the models must be an object, keyed by model"
        : `${documentNames[document]} is an object`,
    );
    return null;
  }
  checkShape(document, tree, report);
  return tree;
}

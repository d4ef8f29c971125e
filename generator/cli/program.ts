import { createRequire } from "node:module";
import { missingPackages } from "../../vocabulary/optional-packages.ts";
import { renderDiagnostics } from "../diagnostics/index.ts";
import { sarifOf } from "../diagnostics/sarif.ts";
import { stopOf } from "../diagnostics/stop.ts";
import { removeTemporaryFolders } from "../format/format.ts";
import { shownPath } from "../load/files.ts";
import { generate } from "../pipeline/generate.ts";
import type { GenerateOptions, GenerateResult } from "../pipeline/result.ts";
import { printMarkdown } from "../review/markdown.ts";
import { printLint, printReport } from "../review/print-report.ts";
import { type Failure, failureText } from "./failure-text.ts";
import type { Flags } from "./flags.ts";
import { makeMigration } from "./new-migration.ts";
import { watch } from "./watch.ts";

/** Runs the generator as this process, in the folder of a project. */
export async function runGenerator(flags: Flags, root: string): Promise<void> {
  if (flags.watch) await runAndWatch(flags, root);
  else if (flags.newMigration !== null) await addMigration(flags, root, flags.newMigration);
  else await run(flags, root);
}

/** Own SQL comes after all that the models need as they are: that is made first, and then the file takes its place. */
async function addMigration(flags: Flags, root: string, name: string): Promise<void> {
  if ((await run(flags, root, { onlyNews: true })) !== 0) return;
  try {
    const file = makeMigration(optionsOf(flags, root), name);
    // The accepted changes have a migration now.
    if ((await run({ ...flags, accepted: [], rebase: [] }, root)) !== 0) return;
    print(`write what ${file} does, and then: npm run migrate\n`);
  } catch (error) {
    const [problem] = stopOf(error)?.reasons.problems ?? [];
    if (problem === undefined) throw error;
    fail(2, { ...problem, kind: "flags" }, false);
  }
}

async function runAndWatch(flags: Flags, root: string): Promise<void> {
  let pending = flags;
  const { models, manifest, out } = optionsOf(flags, root);
  await watch({ root, inputs: [models, manifest], ignored: out }, async () => {
    // The accepted changes are a migration now; the next run has no such step.
    if ((await run(pending, root)) === 0) pending = { ...flags, accepted: [] };
  });
  print("watching for changes, Ctrl-C ends\n");
}

interface RunOptions {
  /** Nothing is printed of a run that has nothing to do: more comes after it. */
  readonly onlyNews?: boolean;
}

/** One run, printed. A bug of Kirak is shown with its stack. Like bad input, it does not end a watching process. */
async function run(flags: Flags, root: string, { onlyNews = false }: RunOptions = {}): Promise<number> {
  try {
    const result = await generate(optionsOf(flags, root));
    process.exitCode = result.exitCode;
    if (!onlyNews || hasChanges(result)) show(result, flags);
    if (!onlyNews) warnOfPackages(result, flags, root);
    return result.exitCode;
  } catch (error) {
    // A signal that ends the compiler too is for its listener to see first.
    await new Promise((resolve) => setImmediate(resolve));
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const message = "this is a bug of the generator, not of your files; please report it with the text below";
    fail(70, { kind: "bug", message: `${message}\n`, details: stack, fix: "" }, flags.json);
    return 70;
  }
}

/** Whether a run did something, or complains of something. */
function hasChanges({ report, problems, diagnostics }: GenerateResult): boolean {
  if (report === null || problems.length + diagnostics.length > 0) return true;
  return report.files.written.length + report.files.removed.length > 0;
}

/** Ends without a result: a text for people, or the shape that results have. */
function fail(exitCode: 2 | 70, failure: Failure, json: boolean): void {
  process.exitCode = exitCode;
  const { message, details, fix } = failure;
  if (json) print(failureText(exitCode, failure));
  else printProblem(`${[message, details, fix].filter((text) => text !== "").join("\n")}\n`);
}

function optionsOf(flags: Flags, root: string): GenerateOptions {
  const inProject = (path: string) => shownPath(root, path);
  return {
    root,
    models: inProject(flags.models),
    manifest: inProject(flags.manifest),
    out: inProject(flags.out),
    mode: modeOf(flags),
    force: flags.force,
    accepted: flags.accepted,
    rebase: flags.rebase,
    base: flags.base,
    compile: true,
  };
}

function modeOf(flags: Flags): GenerateOptions["mode"] {
  if (flags.check) return "check";
  if (flags.lint) return "lint";
  if (flags.dryRun) return "preview";
  return flags.printDefinition ? "definition" : "write";
}

function show(result: GenerateResult, flags: Flags): void {
  const { diagnostics, sources, problems, report, exitCode, definition, diff } = result;
  if (flags.json && flags.lint) {
    print(`${JSON.stringify(sarifOf(result), null, 2)}\n`);
    return;
  }
  if (flags.json) {
    const more = { ...(flags.printDefinition && { definition }), ...(flags.dryRun && { diff }) };
    print(`${JSON.stringify({ exitCode, diagnostics, problems, report, ...more }, null, 2)}\n`);
    return;
  }
  if (diagnostics.length > 0) printProblem(`${renderDiagnostics(diagnostics, sources)}\n`);
  if (flags.printDefinition && definition !== null) print(`${JSON.stringify(definition, null, 2)}\n`);
  for (const { message, details, fix } of problems)
    printProblem(`${message}\n${details}to go on: ${fix}\n\n`);
  if (flags.lint && exitCode === 0) print(printLint(result.silenced.length));
  if (flags.report === "markdown") print(printMarkdown(result));
  else if (report !== null && exitCode === 0)
    print(`${printReport(report, flags.dryRun ? "would write" : "wrote")}${diff}`);
}

/** The service does not start without these packages. */
function warnOfPackages({ definition, sources }: GenerateResult, flags: Flags, root: string): void {
  const manifest = sources.get(shownPath(root, flags.manifest));
  if (definition === null || manifest === undefined) return;
  const { resolve } = createRequire(import.meta.url);
  for (const line of missingPackages(JSON.parse(manifest), resolve)) printProblem(`warning: ${line}\n`);
}

function print(text: string): void {
  process.stdout.write(text);
}

function printProblem(text: string): void {
  process.stderr.write(text);
}

// Without a listener a signal ends the process at once, and what it was doing stays where it is.
for (const [signal, number] of [
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const)
  process.once(signal, () => process.exit(128 + number));
process.once("exit", removeTemporaryFolders);

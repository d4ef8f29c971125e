import { relative, resolve, sep } from "node:path";
import { type Flags, parseArguments } from "./arguments.ts";
import { renderDiagnostics } from "./diagnostics/index.ts";
import { type GenerateOptions, generate, type Result } from "./generate.ts";
import { printReport } from "./report/print.ts";
import { watch } from "./watch.ts";

const root = process.cwd();

async function main(): Promise<void> {
  const parsed = await parseArguments(process.argv.slice(2));
  if ("help" in parsed) {
    print(`${parsed.help}\n`);
  } else if ("error" in parsed) {
    process.exitCode = 2;
    complain(`${parsed.error}\n\`npm run generate -- --help\` lists the flags\n`);
  } else if (parsed.flags.watch) {
    await runAndWatch(parsed.flags);
  } else {
    await run(parsed.flags);
  }
}

async function runAndWatch(flags: Flags): Promise<void> {
  let pending = flags;
  const runPending = async () => {
    const result = await run(pending);
    // What was accepted is a migration now, and the next run has no such step.
    if (result?.exitCode === 0) pending = { ...flags, accepted: [] };
    return result;
  };
  const result = await runPending();
  watch(root, result?.inputs ?? [flags.models, flags.manifest], flags.out, runPending);
  print("watching for changes, Ctrl-C ends\n");
}

/** One run, printed. A bug of ours is shown with its stack, and ends a watching process no more than bad input does. */
async function run(flags: Flags): Promise<Result | null> {
  try {
    const result = await generate(optionsOf(flags));
    process.exitCode = result.exitCode;
    show(result, flags);
    return result;
  } catch (error) {
    process.exitCode = 70;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    complain(
      `this is a bug of the generator, not of your files; please report it with the text below\n\n${stack}\n`,
    );
    return null;
  }
}

function optionsOf(flags: Flags): GenerateOptions {
  const inProject = (path: string) => relative(root, resolve(root, path)).split(sep).join("/");
  return {
    root,
    models: inProject(flags.models),
    manifest: inProject(flags.manifest),
    out: inProject(flags.out),
    mode: modeOf(flags),
    force: flags.force,
    accepted: flags.accepted,
    compile: true,
  };
}

function modeOf(flags: Flags): GenerateOptions["mode"] {
  if (flags.check) return "check";
  if (flags.dryRun) return "preview";
  return flags.printDefinition ? "definition" : "write";
}

function show(result: Result, flags: Flags): void {
  const { diagnostics, sources, problems, report, exitCode, definition } = result;
  if (flags.json) {
    const resolved = flags.printDefinition ? { definition } : {};
    print(`${JSON.stringify({ exitCode, diagnostics, problems, report, ...resolved }, null, 2)}\n`);
    return;
  }
  if (diagnostics.length > 0) complain(`${renderDiagnostics(diagnostics, sources)}\n`);
  if (flags.printDefinition && definition !== null) print(`${JSON.stringify(definition, null, 2)}\n`);
  for (const { message, details, fix } of problems) complain(`${message}\n${details}to go on: ${fix}\n\n`);
  if (report !== null && exitCode === 0) print(printReport(report, flags.dryRun ? "would write" : "wrote"));
}

function print(text: string): void {
  process.stdout.write(text);
}

function complain(text: string): void {
  process.stderr.write(text);
}

await main();

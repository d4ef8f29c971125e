import { basename } from "node:path";
import type { ts as Compiler } from "ts-morph";
import { jobName, jobNameRule, parseCron } from "../../vocabulary/jobs.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { InputFile } from "./files.ts";
import type { RawJob } from "./raw.ts";
import { itemsOf, readString } from "./read.ts";
import {
  type CodeFile,
  defaultExport,
  isCallOf,
  literalNode,
  propertyValue,
  readCode,
  resolveConstant,
  syntaxProblems,
} from "./read-code.ts";
import { withoutComments } from "./read-hooks.ts";
import { type UnknownKeyword, unknownKeywords } from "./unknown-keywords.ts";

/** The jobs in `models/jobs/`, and the problems of files there. */
export interface RawJobs {
  readonly jobs: readonly RawJob[];
  readonly problems: readonly {
    readonly at: SourceSpan;
    readonly message: string;
    readonly hint?: string | null;
  }[];
}

/** Reads jobs, without running them. `strays` are stray files in the folder, `literals` are of the code of jobs. */
export function readJobs(
  inputs: readonly InputFile[],
  strays: readonly string[],
  literals: JobLiterals,
): RawJobs {
  const read = inputs.map(({ file, text }) => ({ name: basename(file, ".ts"), file, text: text ?? "" }));
  const wrong = read.flatMap(({ name, file, text }) =>
    problemsOf(name, text).map((message) => ({ at: startOf(file), message })),
  );
  const ignored = strays.map((file) => ({
    at: startOf(file),
    message: "this file is not read: jobs are .ts files directly in the folder",
  }));
  return {
    jobs: read.map(({ name, file }) => ({ name, cron: literals.crons.get(file) ?? null, file })),
    problems: [...wrong, ...ignored, ...literals.problems],
  };
}

function problemsOf(name: string, text: string): string[] {
  const code = withoutComments(text);
  const isNamed = jobName.test(name);
  const isJob =
    /^\s*export\s+default\b|^\s*export\s*\{[^}]*\bdefault\b/m.test(code) && /\bdefineJob\b/.test(code);
  return [
    ...(isNamed ? [] : [`the name of the file is the name of the job: ${jobNameRule}`]),
    ...(isJob ? [] : ["the file has no job: write export default defineJob({ … })"]),
  ];
}

function startOf(file: string): SourceSpan {
  return { file, offset: 0, length: 1 };
}

/** A problem in the code of a job that would stop the start of the service. */
type JobProblem = UnknownKeyword;

/** What the code of jobs has as literals. */
export interface JobLiterals {
  readonly problems: readonly JobProblem[];
  /** The schedules, by file. */
  readonly crons: ReadonlyMap<string, string>;
}

/** A schedule that is not a literal. */
const computedCron = "computed";

/** Unknown schema keywords, and the cron texts, as far as `export default defineJob({ … })` has them as literals. */
export function readJobLiterals(inputs: readonly InputFile[]): JobLiterals {
  const crons = new Map<string, string>();
  const problems = inputs.flatMap(({ file, text }) => {
    const code = readCode(file, text ?? "");
    const call = syntaxProblems(code).length > 0 ? null : jobIn(code);
    if (call === null) return [];
    const [given] = call.arguments;
    const cron = valueIn("cron", given, code);
    if (cron !== null)
      crons.set(file, readString(literalNode(cron, code) ?? undefined)?.value ?? computedCron);
    return [...unknownKeywords(call, ["payload"], code), ...cronProblems(cron, given, code)];
  });
  return { problems, crons };
}

function jobIn(code: CodeFile): Compiler.CallExpression | null {
  const value = defaultExport(code);
  return value !== null && isCallOf("defineJob", value, code) ? value : null;
}

function valueIn(
  key: string,
  object: Compiler.Expression | null | undefined,
  code: CodeFile,
): Compiler.Expression | null {
  const value = object == null ? null : propertyValue(key, resolveConstant(object, code), code);
  return value === null ? null : resolveConstant(value, code);
}

function cronProblems(
  cron: Compiler.Expression | null,
  given: Compiler.Expression | undefined,
  code: CodeFile,
): JobProblem[] {
  if (cron === null) return [];
  const text = readString(literalNode(cron, code) ?? undefined);
  const required = valueIn("required", valueIn("payload", given, code), code);
  const names = required === null ? undefined : (literalNode(required, code) ?? undefined);
  return [
    ...(text === null ? [] : wrongCron(text.value).map((message) => ({ at: text.at, message, hint: null }))),
    ...(names === undefined || itemsOf(names).length === 0
      ? []
      : [
          {
            at: names.at,
            message: "cron jobs get the payload {}, but this schema requires more",
            hint: null,
          },
        ]),
  ];
}

function wrongCron(text: string): string[] {
  try {
    parseCron(text);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

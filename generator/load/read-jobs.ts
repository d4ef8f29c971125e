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

/** What lies in `models/jobs/`: jobs, and what is wrong with files there. */
export interface RawJobs {
  readonly jobs: readonly RawJob[];
  readonly problems: readonly {
    readonly at: SourceSpan;
    readonly message: string;
    readonly hint?: string | null;
  }[];
}

/** Reads the files of jobs, without running them. `strays` are files next to them that nothing reads, `written` what is wrong in their code. */
export function readJobs(
  inputs: readonly InputFile[],
  strays: readonly string[],
  written: readonly UnknownKeyword[],
): RawJobs {
  const read = inputs.map(({ file, text }) => ({ name: basename(file, ".ts"), file, text: text ?? "" }));
  const wrong = read.flatMap(({ name, file, text }) =>
    problemsOf(name, text).map((message) => ({ at: startOf(file), message })),
  );
  const ignored = strays.map((file) => ({
    at: startOf(file),
    message: "jobs are files of the folder itself that end in .ts; this one is not read",
  }));
  return {
    jobs: read.map(({ name, file }) => ({ name, file })),
    problems: [...wrong, ...ignored, ...written],
  };
}

function problemsOf(name: string, text: string): string[] {
  const code = withoutComments(text);
  const isNamed = jobName.test(name);
  const isJob =
    /^\s*export\s+default\b|^\s*export\s*\{[^}]*\bdefault\b/m.test(code) && /\bdefineJob\b/.test(code);
  return [
    ...(isNamed ? [] : [`a job is called like its file: ${jobNameRule}`]),
    ...(isJob ? [] : ["the file has no job: its default export is what defineJob of kirak gives"]),
  ];
}

function startOf(file: string): SourceSpan {
  return { file, offset: 0, length: 1 };
}

/** What is wrong in the code of a job: the service would not start. */
type JobProblem = UnknownKeyword;

/** Unknown keywords in the schemas of jobs and wrong cron texts, as far as they are written in `export default defineJob({ … })`. */
export function readJobLiterals(inputs: readonly InputFile[]): JobProblem[] {
  return inputs.flatMap(({ file, text }) => {
    const code = readCode(file, text ?? "");
    const call = syntaxProblems(code).length > 0 ? null : jobIn(code);
    if (call === null) return [];
    return [...unknownKeywords(call, ["payload"], code), ...cronProblems(call, code)];
  });
}

function jobIn(code: CodeFile): Compiler.CallExpression | null {
  const value = defaultExport(code);
  return value !== null && isCallOf("defineJob", value, code) ? value : null;
}

function cronProblems(call: Compiler.CallExpression, code: CodeFile): JobProblem[] {
  const [given] = call.arguments;
  const valueIn = (key: string, object: Compiler.Expression | null | undefined) => {
    const value = object == null ? null : propertyValue(key, resolveConstant(object, code), code);
    return value === null ? null : resolveConstant(value, code);
  };
  const cron = valueIn("cron", given);
  if (cron === null) return [];
  const text = readString(literalNode(cron, code) ?? undefined);
  const required = valueIn("required", valueIn("payload", given));
  const names = required === null ? undefined : (literalNode(required, code) ?? undefined);
  return [
    ...(text === null ? [] : wrongCron(text.value).map((message) => ({ at: text.at, message, hint: null }))),
    ...(names === undefined || itemsOf(names).length === 0
      ? []
      : [{ at: names.at, message: "cron sends {}, and this payload requires more", hint: null }]),
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

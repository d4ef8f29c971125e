import { basename } from "node:path";
import { jobName, jobNameRule } from "../../vocabulary/job-names.ts";
import type { Span } from "../diagnostics/index.ts";
import type { InputFile } from "./files.ts";
import { withoutComments } from "./hook-text.ts";
import type { RawJob } from "./raw.ts";
import type { UnknownKeyword } from "./unknown-keywords.ts";

/** What lies in `models/jobs/`: jobs, and what is wrong with files there. */
export interface RawJobs {
  readonly jobs: readonly RawJob[];
  readonly problems: readonly {
    readonly at: Span;
    readonly message: string;
    readonly hint?: string | null;
  }[];
}

/** Reads the files of jobs, without running them. `strays` are files beside them that nothing reads, `written` what is wrong in their code. */
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

function startOf(file: string): Span {
  return { file, offset: 0, length: 1 };
}

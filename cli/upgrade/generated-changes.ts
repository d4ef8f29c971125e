import { readFileSync } from "node:fs";
import { join } from "node:path";
import { usualPlaces } from "#generator/diagnostics/command";
import { renderDiagnostics } from "#generator/diagnostics/index";
import type { Problem } from "#generator/diagnostics/problem";
import { parseLock } from "#generator/output/lock-file";
import { lockFile } from "#vocabulary/models-folder";

/** What this version's generator would do in an app. */
export interface GeneratedChanges {
  /** What `generate --check` ends with. */
  readonly exitCode: 0 | 1 | 2;
  /** Files that it would write, and remove, relative to the app. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** As a unified diff; empty where a problem keeps the files from being made. */
  readonly diff: string;
  /** What it would stop at, or fail `--check` for. */
  readonly problems: readonly Omit<Problem, "details">[];
  /** What it says of the models, with their lines. */
  readonly findings: string;
  /** What it would report, where it has something to report. */
  readonly report: string;
  /** Whether models or code of the app say something else than when `generated/` was made: the changes are not the version's alone. */
  readonly modelsChanged: boolean;
}

/** Runs the generator without writing, and without its type check. */
export async function generatedChanges(root: string): Promise<GeneratedChanges> {
  const { generate } = await import("#generator/pipeline/generate");
  const { printReport } = await import("#generator/review/print-report");
  const { exitCode, diagnostics, sources, problems, report, modelsChecksum } = await generate({
    root,
    ...usualPlaces,
    mode: "check",
    force: false,
    accepted: [],
    rebase: [],
    base: null,
    compile: false,
  });
  const files = report?.files ?? { written: [], removed: [] };
  const drift = problems.find(({ kind, details }) => kind === "drift" && details !== "");
  return {
    exitCode,
    written: files.written.map(inApp),
    removed: files.removed.map(inApp),
    diff: drift?.details ?? "",
    problems: problems
      .filter((problem) => problem !== drift)
      .map(({ kind, message, fix }) => ({ kind, message, fix })),
    findings: diagnostics.length === 0 ? "" : renderDiagnostics(diagnostics, sources),
    report: report === null ? "" : printReport(report, "would write"),
    modelsChanged: modelsChecksum !== modelsOf(root),
  };
}

function inApp(path: string): string {
  return `${usualPlaces.out}/${path}`;
}

function modelsOf(root: string): string {
  try {
    return parseLock(readFileSync(join(root, usualPlaces.out, lockFile), "utf8"))?.models ?? "";
  } catch {
    return "";
  }
}

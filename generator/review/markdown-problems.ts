import { type Diagnostic, isFinding } from "../diagnostics/index.ts";
import type { Problem } from "../diagnostics/problem.ts";
import { code, fenced } from "./markdown-text.ts";

/** At most this many errors or findings are printed; the log of the run has all. */
const shown = 50;

/** What stops a run, each as an item of a list: errors in the files, then problems with what is known of them. */
export function problemItems(problems: readonly Problem[], diagnostics: readonly Diagnostic[]): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return [
    ...capped(errors.map(place)),
    ...problems.map((problem) => {
      const found = problem.kind === "lint" ? diagnostics.filter((each) => isFinding(each.code)) : [];
      return item(
        problem,
        capped(found.map(place)).map((line) => `- ${line}`),
      );
    }),
  ];
}

function item({ message, details, fix }: Problem, findings: readonly string[]): string {
  const parts = [
    message.split("\n").map(code).join("; "),
    findings.join("\n"),
    details === "" ? "" : fenced(details),
    fix === "" ? "" : `To go on: ${code(fix)}`,
  ].filter((part) => part !== "");
  // What belongs to an item of a list stands under its text.
  return parts.join("\n\n").replaceAll(/\n(?=[^\n])/g, "\n  ");
}

function place({ file, line, code: name, message }: Diagnostic): string {
  return code(`${file}:${line} ${name} ${message}`);
}

function capped(lines: readonly string[]): string[] {
  if (lines.length <= shown) return [...lines];
  return [...lines.slice(0, shown), `… and ${lines.length - shown} more`];
}

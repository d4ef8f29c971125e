import { didYouMean } from "../../vocabulary/nearest.ts";
import {
  catalogue,
  type DiagnosticCode,
  isSilenceable,
  type ReportDiagnostic,
} from "../diagnostics/index.ts";
import type { RawLintIgnore } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks entries of `lint_ignore`: each needs a code that can be silenced, and a reason for the reviewer. */
export function checkLintIgnores({ models, manifest, report }: CheckContext): void {
  for (const model of models) {
    checkEntries(model.lintIgnore, report);
    for (const field of model.fields) checkEntries(field.lintIgnore, report);
  }
  if (manifest !== null) checkEntries(manifest.lintIgnore, report);
}

function checkEntries({ entries }: RawLintIgnore, report: ReportDiagnostic): void {
  for (const { code, reason } of entries) {
    if (!isCode(code.value)) {
      const message = `there is no finding "${code.value}" to silence`;
      report("unknown-lint-code", code.at, message, didYouMean(code.value, silenceable()));
    } else if (!isSilenceable(code.value)) {
      const { severity } = catalogue[code.value];
      const what = severity === "error" ? "an error, which must be corrected" : "always shown";
      report("unknown-lint-code", code.at, `"${code.value}" cannot be silenced: it is ${what}`);
    } else if (reason.value.trim() === "") {
      const hint = "write the reason, for the reviewer";
      report("empty-lint-reason", reason.at, `"${code.value}" is silenced without a reason`, hint);
    }
  }
}

function isCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(catalogue, text);
}

function silenceable(): string[] {
  return Object.keys(catalogue).filter((code) => isCode(code) && isSilenceable(code));
}

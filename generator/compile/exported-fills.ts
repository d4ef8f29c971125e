import { unreadableFills } from "../check/check-fills.ts";
import {
  catalogue,
  createLocator,
  type Diagnostic,
  type DiagnosticCode,
  type Location,
  type Sources,
} from "../diagnostics/index.ts";
import { readFills } from "../load/read-fills.ts";
import type { Compiled } from "./compile-check.ts";
import { isFills } from "./unknown-hooks.ts";

/** `fills` that a hook file exports in a way which only the compiler sees, and those of hooks that it does not export. */
export function misplacedFills({ exports }: Compiled, sources: Sources): Diagnostic[] {
  return [...exports].flatMap(([file, values]) => {
    const fills = values.find(({ name }) => isFills(name, file));
    if (fills === undefined) return [];
    const { name: _, ...place } = fills;
    const read = readFills(file, sources.get(file) ?? "");
    if (read === null)
      return [problem("unreadable-fills", { file, ...place }, unreadableFills.message, unreadableFills.hint)];
    const exported = values.map(({ name }) => name);
    const missing = (read.lists ?? []).filter(({ hook }) => !exported.includes(hook.value));
    return missing.map(({ hook }) => {
      const message = `"fills" names "${hook.value}", which the file does not export`;
      const hint = "export that hook, or take its list out";
      return problem("invalid-fills", createLocator(sources)(hook.at), message, hint);
    });
  });
}

function problem(code: DiagnosticCode, place: Location, message: string, hint: string): Diagnostic {
  return { code, severity: catalogue[code].severity, message, hint, ...place };
}

import { posix } from "node:path";
import { fillsExport, type HookOwner, hookNames } from "../../vocabulary/hook-names.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { catalogue, type Diagnostic, type Location } from "../diagnostics/index.ts";
import type { Compiled } from "./compile-check.ts";

/** Finds exports of hook files that no operation runs, and types of hooks that do not exist. */
export function unknownHooks({ errors, exports }: Compiled): Diagnostic[] {
  const exported = [...exports].flatMap(([file, values]) =>
    values
      .filter(({ name }) => !isHook(name, ownerOf(file)) && !isFillsExport(name, file))
      .map(({ name, ...place }) => unknownHook(name, { file, ...place })),
  );
  const typed = errors.flatMap(({ message, ...place }) => {
    const [, name] = unknownType.exec(message) ?? [];
    return name === undefined || !exports.has(place.file) ? [] : [unknownHook(name, place)];
  });
  const all = [...exported, ...typed];
  // A misspelt hook is often reported twice: for its name and for its type.
  return all.filter(
    ({ file, message }, index) =>
      all.findIndex((other) => other.file === file && other.message === message) === index,
  );
}

/** Whether a compiler error is only a consequence of an unknown hook in the same file. */
export function isCausedByUnknownHook(
  { file, message }: Diagnostic,
  unknown: readonly Diagnostic[],
): boolean {
  return unknown.some((hook) => hook.file === file) && consequences.some((words) => words.test(message));
}

const unknownType = /^Property '(\w+)' does not exist on type '\w*Hooks\b[^']*'\./;
const consequences = [unknownType, / to type 'never'\. \(TS\d+\)$/, / implicitly has an 'any' type\. /];

function unknownHook(name: string, place: Location): Diagnostic {
  const owner = ownerOf(place.file);
  const key = posix.basename(place.file, ".ts");
  const subject = { model: `model "${key}"`, auth: "the accounts", graphql: "GraphQL" }[owner];
  return {
    code: "unknown-hook",
    severity: catalogue["unknown-hook"].severity,
    message: `"${name}" is not a hook of ${subject}`,
    hint: ownerHint(name) ?? didYouMean(name, hookNames[owner]) ?? shared,
    ...place,
  };
}

const shared =
  "a hook file exports only hooks; put code that hook files share into a file next to the folder";

function ownerOf(file: string): HookOwner {
  const key = posix.basename(file, ".ts");
  return key === "auth" || key === "graphql" ? key : "model";
}

function isHook(name: string, owner: HookOwner): boolean {
  const names: readonly string[] = hookNames[owner];
  return names.includes(name);
}

/** Whether an export is the `fills` of a model's hook file. */
export function isFillsExport(name: string, file: string): boolean {
  return name === fillsExport && ownerOf(file) === "model";
}

/** A hint for a hook name that belongs in another file. */
function ownerHint(name: string): string | null {
  if (isHook(name, "auth")) return "the hooks of accounts are in hooks/auth.ts";
  if (isHook(name, "graphql")) return "the hooks of GraphQL are in hooks/graphql.ts";
  if (isHook(name, "model")) return "the hooks of a model are in hooks/<model>.ts";
  if (name === fillsExport) return "only hook files of models can export it";
  return /^(before|after)_(count|exists)$/.test(name) ? "count and exists have no hooks" : null;
}

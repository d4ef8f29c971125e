import { renderDiagnostics } from "../diagnostics/index.ts";
import { escapeInvisible } from "../emit/literal.ts";
import { generate } from "../pipeline/generate.ts";
import type { IntrospectOptions } from "./existing.ts";
import type { Introspection } from "./introspect.ts";
import type { Remark } from "./remarks.ts";

type Made = Exclude<Introspection, { readonly problem: unknown }>;

/** The number of models, and the written and removed files. */
export function introspectSummary(
  { adoption, written, removed }: Made,
  { dryRun }: Pick<IntrospectOptions, "dryRun">,
): string {
  const models = Object.keys(adoption.models).filter((key) => !key.startsWith("$")).length;
  const gone = `, ${dryRun ? "and remove" : "removed"} ${removed.length} generated files`;
  return (
    `${models === 1 ? "1 model" : `${models} models`}: ${dryRun ? "would write" : "wrote"} ` +
    `${written.join(", ")}${removed.length === 0 ? "" : gone}\n`
  );
}

/** Files that stay, and flags that a run without `--dry-run` needs. */
export function printLeftovers(
  { inTheWay, orphans, keepsManifest }: Made,
  { dryRun, force, manifest }: Pick<IntrospectOptions, "dryRun" | "force" | "manifest">,
): string {
  const lines = [
    ...(orphans.length === 0
      ? []
      : [
          `hook files without a model${dryRun ? " after this run" : ""}: ${orphans.join(", ")}: delete them, they never run`,
        ]),
    ...(inTheWay !== null && keepsManifest
      ? [
          `${manifest} stays the same, with the service's name and lint_ignore: correct it${dryRun ? ", or delete it first" : ""}`,
        ]
      : []),
    ...(inTheWay !== null && !force ? [`${inTheWay}: to replace them, use --force`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Prints the objects that models cannot express: first those that need action, then the rest, by table. */
export function printRemarks(remarks: readonly Remark[]): string {
  const loud = remarks.filter(({ loud }) => loud === true);
  const quiet = remarks.filter(({ loud }) => loud !== true);
  return [
    ...section("needs your attention:", loud),
    ...section("in the database, but not in the models:", quiet),
  ].join("");
}

function section(title: string, remarks: readonly Remark[]): string[] {
  const tables = [...new Set(remarks.map(({ table }) => table))];
  const lines = tables.flatMap((table) => [
    ...(table === null ? [] : [`  ${escapeInvisible(table)}\n`]),
    ...remarks
      .filter((remark) => remark.table === table)
      .map(
        ({ what, outcome }) => `${table === null ? "  " : "    "}${escapeInvisible(`${what}: ${outcome}`)}\n`,
      ),
  ]);
  return lines.length === 0 ? [] : [`${title}\n`, ...lines];
}

/** The errors of `npm run generate` for the new models, and the next command; exit code 2 for errors. */
export async function nextStep(
  options: Pick<IntrospectOptions, "root" | "models" | "manifest" | "out">,
): Promise<{ readonly text: string; readonly exitCode: 0 | 2 }> {
  const result = await generate({
    ...options,
    ...{ mode: "preview", force: false, accepted: [], rebase: [], base: null, compile: false },
  });
  const { sources, problems, exitCode } = result;
  // `printLeftovers` has listed orphaned hooks.
  const diagnostics = result.diagnostics.filter(({ code }) => code !== "orphan-hook");
  const shown = diagnostics.length === 0 ? "" : `${renderDiagnostics(diagnostics, sources)}\n`;
  if (exitCode === 2) return { text: shown, exitCode };
  const reasons = problems.map(({ message, details }) => `${message}\n${details}`).join("");
  const next = problems.at(-1)?.fix ?? "npm run generate";
  const text = `${shown}${reasons}next${reasons === "" ? "" : ", after you have read this"}: ${next}\n`;
  return { text, exitCode: 0 };
}

import { escapeInvisible } from "../../emit/literal.ts";
import type { IntrospectOptions } from "../existing.ts";
import { introspectSummary } from "../print-outcome.ts";
import { type FoundRemark, type RemarkKind, remarkKinds } from "./found-remarks.ts";
import type { FoundIntrospection } from "./introspect-as-found.ts";

type Made = Exclude<FoundIntrospection, { readonly problem: unknown }>;

/** Lines for the columns that are left out, before the rest is only counted. */
const maxLeftOut = 12;

/** All remarks, one a line: kind, `table.column` and text, separated by tabs. */
export function remarkLines(remarks: readonly FoundRemark[]): string {
  return remarks
    .map(({ kind, place, text }) => `${[kind, place, text].map(escapeInvisible).join("\t")}\n`)
    .join("");
}

/** The models, the columns that are left out, and the number of remarks of each kind. At most 37 lines. */
export function printFound(
  made: Made,
  { dryRun, remarks: file }: Pick<IntrospectOptions, "dryRun"> & { readonly remarks: string | null },
): string {
  const { remarks } = made;
  const left = remarks.filter(({ kind }) => kind === "left-out");
  const shown = left
    .slice(0, maxLeftOut)
    .map(({ place, text }) => `  ${escapeInvisible(`${place}: ${text}`)}\n`);
  const more = left.length - shown.length;
  const kinds = Object.entries(remarkKinds).flatMap(([kind, text]) => {
    const count = remarks.filter((remark) => remark.kind === kind).length;
    return count === 0 || kind === ("left-out" satisfies RemarkKind) ? [] : [`  ${text}: ${count}\n`];
  });
  return [
    introspectSummary(made, { dryRun }),
    ...(left.length === 0 ? [] : [`${remarkKinds["left-out"]}: ${left.length}\n`, ...shown]),
    ...(more > 0 ? [`  and ${more} more\n`] : []),
    ...(kinds.length === 0 ? [] : ["remarks:\n", ...kinds]),
    ...(remarks.length === 0
      ? []
      : [file === null ? "all of them: --remarks FILE\n" : `all of them: ${file}\n`]),
  ].join("");
}

/** The remarks on a Hasura project, one a line: file, line, and what is lost. */
export function hasuraLines(remarks: readonly FoundRemark[]): string {
  const lines = remarks.filter(({ kind }) => kind === "hasura" || kind === "hasura-closed");
  return lines.map(({ place, text }) => `${escapeInvisible(`${place}: ${text}`)}\n`).join("");
}

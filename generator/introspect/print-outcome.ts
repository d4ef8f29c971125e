import type { Introspection } from "./introspect.ts";
import type { IntrospectOptions } from "./introspect-options.ts";

type Made = Exclude<Introspection, { readonly problem: unknown }>;

/** How many models there are, and the files. */
export function summary(
  { adoption, written, removed }: Made,
  { dryRun }: Pick<IntrospectOptions, "dryRun">,
): string {
  const models = Object.keys(adoption.models).length;
  const gone = `, ${dryRun ? "and remove" : "removed"} ${removed.length} generated files`;
  return (
    `${models === 1 ? "1 model" : `${models} models`}: ${dryRun ? "would write" : "wrote"} ` +
    `${written.join(", ")}${removed.length === 0 ? "" : gone}\n`
  );
}

/** What stays of the project before, and what a run needs that is no dry one. */
export function leftovers(
  { inTheWay, orphans, keepsManifest }: Made,
  { dryRun, force, manifest }: Pick<IntrospectOptions, "dryRun" | "force" | "manifest">,
): string {
  const lines = [
    ...(orphans.length === 0
      ? []
      : [
          `no model${dryRun ? " would be" : " is"} there for ${orphans.join(", ")}: delete them, nothing runs them`,
        ]),
    ...(inTheWay !== null && keepsManifest
      ? [
          `${manifest} stays as it is, with the service's name and lint_ignore: correct it${dryRun ? ", or delete it before" : ""}`,
        ]
      : []),
    ...(inTheWay !== null && !force ? [`${inTheWay}: to write, name --force`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

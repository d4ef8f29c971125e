import { didYouMean } from "../diagnostics/index.ts";
import type { Branches, Head } from "../migrations/branches.ts";
import type { Problem } from "./problem.ts";

/** Several heads, and the command that leaves each of them alone; `commandFor` gives the command that derives some anew. */
export function headsProblem(
  { parent, heads }: Branches,
  commandFor: (rebase: readonly string[]) => string,
): Problem {
  const [first] = heads;
  const base = parent ?? "nothing";
  return {
    kind: "heads",
    message: `${heads.length} migrations are the last one, since branches were merged that each build on ${base}`,
    details: `${heads.flatMap((head) => linesOf(head, commandFor)).join("\n")}\n${adviceOf(parent)}`,
    fix: commandFor(first?.others ?? []),
  };
}

function linesOf({ chain, others }: Head, commandFor: (rebase: readonly string[]) => string): string[] {
  return [`  ${chain.join(" → ")}`, `    to keep it and derive the rest anew: ${commandFor(others)}`];
}

function adviceOf(parent: string | null): string {
  const back = parent === null ? "" : ` --to ${parent}`;
  return (
    "Keep the one that a shared database has already. A database of your own that has another one must let it go before:\n" +
    `npm run migrate -- down${back}, or delete the development database (var/kirak/postgres).\n`
  );
}

/** Names after `--rebase` of migrations that are on no branch, or are none. */
export function rebaseProblem(refused: readonly string[], candidates: readonly string[]): Problem {
  const message = refused
    .map((name) => {
      const reason =
        candidates.length === 0
          ? "there is one last migration, so none is to be derived anew"
          : `no branch has a migration ${name} of its own`;
      return [reason, ...[didYouMean(name, candidates) ?? []].flat()].join("; ");
    })
    .join("\n");
  return {
    kind: "unknown-migration",
    message,
    details: candidates.map((name) => `  ${name}\n`).join(""),
    fix: candidates.length === 0 ? "leave --rebase out" : "name one of the migrations above",
  };
}

import { didYouMean } from "../../../vocabulary/nearest.ts";
import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import type { Branches, Head } from "../branches.ts";

/** Several heads, and the command that leaves each of them alone. */
export function headsProblem({ parent, heads }: Branches, flags: CommandFlags): Problem {
  const base = parent ?? "nothing";
  return {
    kind: "heads",
    message: `${heads.length} migrations are the last one, since branches were merged that each build on ${base}`,
    details: `${heads.flatMap((head) => linesOf(head, flags)).join("\n")}\n${adviceOf(parent)}`,
    // Which of them stays is not for the generator to choose.
    fix: "run the one of these commands that keeps what a shared database has already",
  };
}

function linesOf({ chain, others }: Head, flags: CommandFlags): string[] {
  const command = commandOf({ ...flags, rebase: others });
  return [`  ${chain.join(" → ")}`, `    to keep it and derive the rest anew: ${command}`];
}

function adviceOf(parent: string | null): string {
  const back = parent === null ? "" : ` --to ${parent}`;
  return (
    "Keep the one that a shared database has; where none has any, either will do. A database of your own that has another one must let it go before:\n" +
    `npm run migrate -- down${back}, or delete the development database (var/kirak/postgres).\n`
  );
}

/** Names after `--rebase` of migrations that all branches share, or that are none. */
export function rebaseProblem(refused: readonly string[], candidates: readonly string[]): Problem {
  const message = refused
    .map((name) => {
      const reason =
        candidates.length === 0
          ? "there are no migrations, so none is to be derived anew"
          : `${name} is not to be derived anew: there is no such migration, or several branches build on it`;
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

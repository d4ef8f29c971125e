import { posix } from "node:path";
import { sqlStepId } from "../../../vocabulary/migrations/sql-migration.ts";
import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { StopProblem } from "../../diagnostics/stop.ts";
import type { CustomLink } from "../plan.ts";

/** Migrations of own SQL whose files are gone. */
export function missingCustomProblem(names: readonly string[], flags: CommandFlags): StopProblem {
  const folder = posix.join(posix.dirname(flags.models), "migrations");
  const files = names.map((name) => posix.join(folder, `${name}.ts`)).join(", ");
  const [is, it] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return {
    kind: "history",
    message: `${files} ${is} missing, and a database may have ${it} already`,
    details: "",
    fix:
      `restore ${it} from version control; or, where no database has ${it}, ` +
      `${commandOf({ ...flags, rebase: [...flags.rebase, ...names] })} takes ${it} out of the chain`,
  };
}

/** A migration of own SQL that runs after one whose number is as high. */
export function misplacedProblem(
  { file, wanted, latest }: { file: string; wanted: string; latest: string },
  command: string,
): StopProblem {
  return {
    kind: "history",
    message: `${file} comes after ${latest}, and its number says otherwise`,
    details: "",
    fix: `rename it to ${wanted}, and run ${command}`,
  };
}

/** Own SQL that loses data, which no one has accepted. */
export function destructiveCustomProblem({ name, file }: CustomLink, command: string): StopProblem {
  return {
    kind: "destructive",
    message: `migration ${name} loses data, or fails on rows that are there, as its class says`,
    details: `  ${sqlStepId(name)}: the SQL of ${file}\n`,
    fix: command,
  };
}

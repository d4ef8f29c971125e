import { posix } from "node:path";
import { sqlStepId } from "../../../vocabulary/migrations/sql-migration.ts";
import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { StopProblem } from "../../diagnostics/stop.ts";
import type { CustomLink } from "../plan.ts";

/** Reports custom SQL whose files are missing. */
export function missingCustomProblem(names: readonly string[], flags: CommandFlags): StopProblem {
  const folder = posix.join(posix.dirname(flags.models), "migrations");
  const files = names.map((name) => posix.join(folder, `${name}.ts`)).join(", ");
  const [is, it] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return {
    kind: "history",
    message: `${files} ${is} missing, and a database may have applied ${it} already`,
    details: "",
    fix:
      `restore ${it} from version control; or, if no database has applied ${it}, ` +
      `${commandOf({ ...flags, rebase: [...flags.rebase, ...names] })} removes ${it} from the history`,
  };
}

/** Reports custom SQL whose number is not higher than the number of the migration before it. */
export function misplacedProblem(
  { file, wanted, latest }: { file: string; wanted: string; latest: string },
  command: string,
): StopProblem {
  return {
    kind: "history",
    message: `${file} must run after ${latest}, so its number must be higher`,
    details: "",
    fix: `rename it to ${wanted}, and run ${command}`,
  };
}

/** Reports custom SQL that loses data and is not accepted. */
export function destructiveCustomProblem({ name, file }: CustomLink, command: string): StopProblem {
  return {
    kind: "destructive",
    message: `migration ${name} has the class "destructive": it loses data, or can fail on existing rows`,
    details: `  ${sqlStepId(name)}: the SQL of ${file}\n`,
    fix: command,
  };
}

import { posix } from "node:path";
import { type CommandFlags, commandOf } from "../diagnostics/command.ts";
import { Stop } from "../diagnostics/stop.ts";
import type { CustomMigration } from "../load/read-custom-migrations.ts";
import { nextNumber } from "./plan.ts";
import { misplacedProblem, missingCustomProblem } from "./problems/custom-problems.ts";
import type { History } from "./read-history.ts";

/** New custom SQL in order: the files before the migration of the models, and those after it. */
export interface Placement {
  readonly before: readonly CustomMigration[];
  readonly after: readonly CustomMigration[];
}

/**
 * Finds the place of new custom SQL in the chain. New files come after the existing migrations and after the first tables, in the
 * order of their numbers. Files that `--rebase` removed keep their place relative to the derived steps. Throws a Stop if a file is
 * missing or its number contradicts the order.
 */
export function placeCustomMigrations(
  own: readonly CustomMigration[],
  history: History,
  flags: CommandFlags,
): Placement {
  const files = [...own].sort((a, b) => numberOf(a.name) - numberOf(b.name) || (a.name < b.name ? -1 : 1));
  const known = new Set(files.map(({ name }) => name));
  const missing = [...history.links.keys()].filter((name) => !known.has(name));
  if (missing.length > 0) throw new Stop(1, { problems: [missingCustomProblem(missing, flags)] });
  const fresh = files.filter(({ name }) => !history.links.has(name));
  const before = fresh.filter(({ name }) => history.names.length > 0 && comesFirst(name, known, history));
  const after = fresh.filter((file) => !before.includes(file));
  requireOrder({ before, after }, history, flags);
  return { before, after };
}

/** A file with a new number is found by the rest of its name. */
function comesFirst(name: string, known: ReadonlySet<string>, { rebased }: History): boolean {
  if (rebased === null) return true;
  const same = rebased.customMigrations.find((other) => other.name === name);
  const former =
    same ??
    rebased.customMigrations.find((other) => !known.has(other.name) && restOf(other.name) === restOf(name));
  return former?.first ?? false;
}

function requireOrder({ before, after }: Placement, { names }: History, flags: CommandFlags): void {
  const chain = [...names];
  // The first tables have the number 1.
  let last = Math.max(1, ...names.map(numberOf));
  for (const { name, file } of [...before, ...after]) {
    if (numberOf(name) <= last) {
      const all = [...chain, ...before, ...after].map((entry) =>
        typeof entry === "string" ? entry : entry.name,
      );
      const wanted = posix.join(posix.dirname(file), `${nextNumber(all)}_${restOf(name)}.ts`);
      const latest = chain.findLast((other) => numberOf(other) === last) ?? "the first tables";
      throw new Stop(1, { problems: [misplacedProblem({ file, wanted, latest }, commandOf(flags))] });
    }
    last = numberOf(name);
    chain.push(name);
  }
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

function restOf(name: string): string {
  return name.replace(/^\d+_/, "");
}

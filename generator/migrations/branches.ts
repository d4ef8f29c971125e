import { HistoryError } from "./history-error.ts";

/** The name and the parent of a migration. */
export interface MigrationHeader {
  readonly name: string;
  readonly parent: string | null;
}

/** One of several heads: a migration that no other one builds on. */
export interface Head {
  /** The migrations of this branch only: after the shared parent, up to the head. */
  readonly chain: readonly string[];
  /** The names for `--rebase` that leave only this head. Migrations on top of them are derived again too. */
  readonly others: readonly string[];
}

/** The heads after a merge of branches, earliest first, and the last migration that they share. */
export interface Branches {
  readonly parent: string | null;
  readonly heads: readonly Head[];
}

/** The chain of each head, oldest migration first. The heads are sorted by number, then by name. Throws a HistoryError. */
export function pathsOf(headers: readonly MigrationHeader[]): string[][] {
  const parents = new Map(headers.map(({ name, parent }) => [name, parent]));
  const inner = new Set(headers.map(({ parent }) => parent));
  const paths = headers
    .filter(({ name }) => !inner.has(name))
    .sort((a, b) => Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => pathTo(name, parents));
  const reached = new Set(paths.flat());
  const circular = headers.find(({ name }) => !reached.has(name));
  if (circular !== undefined) throw new HistoryError(`${circular.name} builds on itself`);
  return paths;
}

function pathTo(head: string, parents: ReadonlyMap<string, string | null>): string[] {
  const path: string[] = [];
  for (let name: string | null = head; name !== null; ) {
    const parent = parents.get(name);
    if (parent === undefined)
      throw new HistoryError(
        `${path[0]} builds on ${name}, which is missing; a database may have applied it already`,
        null,
        [name],
      );
    path.unshift(name);
    name = parent;
  }
  return path;
}

/** Splits the chains of all heads after the migrations that they share. */
export function branchesOf(headers: readonly MigrationHeader[], paths: readonly string[][]): Branches {
  const shared = sharedPath(paths);
  return {
    parent: shared.at(-1) ?? null,
    heads: paths.map((path) => ({
      chain: path.slice(shared.length),
      others: headers
        .filter(({ name, parent }) => !path.includes(name) && (parent === null || path.includes(parent)))
        .map(({ name }) => name),
    })),
  };
}

/** The common beginning of all paths. */
function sharedPath([first = [], ...others]: readonly string[][]): string[] {
  const end = first.findIndex((name, index) => others.some((path) => path[index] !== name));
  return end === -1 ? first : first.slice(0, end);
}

/** Adds to migrations all migrations that build on them. */
export function withDescendants(headers: readonly MigrationHeader[], names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { name, parent } of headers) if (parent !== null && found.has(parent)) found.add(name);
  }
  return found;
}

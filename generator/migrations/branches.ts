import { HistoryError } from "./history-error.ts";

/** The header of a migration, before its steps. */
export interface MigrationHeader {
  readonly name: string;
  readonly parent: string | null;
}

/** One of several heads: a migration that no other one builds on. */
export interface Head {
  /** From the first migration that not all heads build on to the head itself. */
  readonly chain: readonly string[];
  /** The migrations to derive again, with all that build on them, so that only this head stays. */
  readonly others: readonly string[];
}

/** What a merge of branches leaves: heads, the earliest first, and the migration that they all build on. */
export interface Branches {
  readonly parent: string | null;
  readonly heads: readonly Head[];
}

/** Each head with all that it builds on, oldest first; the earliest head by number, then by name, is the first. */
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
        `${path[0]} builds on ${name}, which is missing; a database may have it already`,
        null,
        [name],
      );
    path.unshift(name);
    name = parent;
  }
  return path;
}

/** The paths of several heads, as a person sees them. */
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

/** What all paths begin with. */
function sharedPath([first = [], ...others]: readonly string[][]): string[] {
  const end = first.findIndex((name, index) => others.some((path) => path[index] !== name));
  return end === -1 ? first : first.slice(0, end);
}

/** Some migrations, and all that build on them. */
export function withDescendants(headers: readonly MigrationHeader[], names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { name, parent } of headers) if (parent !== null && found.has(parent)) found.add(name);
  }
  return found;
}

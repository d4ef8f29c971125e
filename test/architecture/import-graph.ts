import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = resolve(import.meta.dirname, "..", "..");

/** The files behind `exports` of `package.json`, by the names under which apps import them. */
const publicExports: ReadonlyMap<string, string> = new Map(
  Object.entries<string | { "kirak-source": string }>(JSON.parse(textOf("package.json")).exports).flatMap(
    ([name, to]) =>
      typeof to === "string" ? [] : [[name.replace(".", "kirak"), to["kirak-source"].replace("./", "")]],
  ),
);

/** An import of one file of the repository by another, of values or of types, as paths from the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** The TypeScript files of a folder and all below it, as paths from the root. */
export function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name).split(sep).join("/"));
}

/** The text of a file. */
export function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

/** Every import of the repository's files by the files of a folder. */
export function importsIn(folder: string): Import[] {
  return filesIn(folder).flatMap(importsOf);
}

/** Every import of the repository's files by one file. Modules that a test writes as text do not count. */
export function importsOf(file: string): Import[] {
  return [...importsByPath(file), ...importsOfPrograms(file), ...importsByName(file)];
}

/** Imports from the root of a program: `#runtime/…`. */
function importsOfPrograms(file: string): Import[] {
  return specifiersIn(file, '#[^"]+').map((path) => ({ from: file, to: `${path.slice(1)}.ts` }));
}

/** Imports by relative path. */
export function importsByPath(file: string): Import[] {
  return specifiersIn(file, '\\.[^"]+').map((path) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), path))
      .split(sep)
      .join("/"),
  }));
}

/** Imports of public exports by name: `kirak/rest`. */
export function importsByName(file: string): Import[] {
  return specifiersIn(file, 'kirak(?:/[^"]+)?').map((name) => ({
    from: file,
    to: publicExports.get(name) ?? name,
  }));
}

function specifiersIn(file: string, form: string): string[] {
  const found = textOf(file).matchAll(new RegExp(`^(?! *').*?(?:from|import)\\s*\\(?\\s*"(${form})"`, "gm"));
  return [...found].map(([, specifier = ""]) => specifier);
}

/** Files and sub-folders of one folder, each of which leads to all others by imports. */
export interface Cycle {
  /** The folder and its children: `a: mailer.ts, smtp.ts`. */
  readonly name: string;
  /** The imports between these children. The pair with the fewest imports is first: it is the easiest to cut. */
  readonly imports: readonly Import[];
}

/** The cycles in each folder. A file below a sub-folder counts as the sub-folder. */
export function cyclesIn(imports: readonly Import[]): Cycle[] {
  return [...grouped(imports.flatMap(stepOf), ({ folder }) => folder)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, steps]) => cyclesOf(folder, steps));
}

/** An import, as one child of a folder that leads to another. */
interface Step {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly by: Import;
}

/** At the deepest folder that both files are in. None for an import of itself. */
function stepOf(by: Import): Step[] {
  const [from, to] = [by.from.split("/"), by.to.split("/")];
  const depth = from.findIndex((part, index) => part !== to[index]);
  const [child, other] = [from[depth], to[depth]];
  if (child === undefined || other === undefined) return [];
  return [{ folder: from.slice(0, depth).join("/") || ".", from: child, to: other, by }];
}

function cyclesOf(folder: string, steps: readonly Step[]): Cycle[] {
  const children = [...new Set(steps.map(({ from }) => from))].sort();
  const reached = new Map(children.map((child) => [child, reachedFrom(child, steps)]));
  const leads = (from: string, to: string) => reached.get(from)?.has(to) === true;
  const cycles = new Set(
    children.flatMap((child) => {
      const members = children.filter((other) => leads(child, other) && leads(other, child));
      return members.length === 0 ? [] : [members.join(", ")];
    }),
  );
  return [...cycles].map((members) => {
    const isMember = (child: string) => members.split(", ").includes(child);
    const between = steps.filter(({ from, to }) => isMember(from) && isMember(to));
    const ties = [...grouped(between, ({ from, to }) => `${from} ${to}`).values()];
    const imports = ties.sort((one, other) => one.length - other.length).flat();
    return { name: `${folder}: ${members}`, imports: imports.map(({ by }) => by) };
  });
}

/** The children that one leads to; itself only by way of others. */
function reachedFrom(child: string, steps: readonly Step[]): Set<string> {
  const reached = new Set<string>();
  const visit = (at: string): void => {
    for (const { from, to } of steps) {
      if (from !== at || reached.has(to)) continue;
      reached.add(to);
      visit(to);
    }
  };
  visit(child);
  return reached;
}

/** The layers of `runtime/`, from top to bottom. Each imports only the layers below it. */
// biome-ignore format: many a line
export const layers = [
  "exports", "testing", "process", "server", "api", "modules", "data", "migrations", "hooks", "models", "core",
];

/** What other modules can import of the two layers that put the service together; their files are not behind one `index.ts`. */
const entryFiles = new Set([
  ...["server", "service", "app-modules", "lazy-storage", "user-operations"].map(
    (name) => `runtime/server/${name}.ts`,
  ),
  ...["index", "start", "operate", "job-worker"].map((name) => `runtime/process/${name}.ts`),
]);

const files = new Set(filesIn("runtime"));

/** The folder of a file whose entry file is its `index.ts`; null for a file outside a module, and for `exports/`. */
function moduleOf(file: string): string | null {
  const [top, layer, name, below] = file.split("/");
  if (top !== "runtime" || layer === undefined || name === undefined || layer === "exports") return null;
  const inner = `runtime/${layer}/${name}`;
  if (below !== undefined && files.has(`${inner}/index.ts`)) return inner;
  return `runtime/${layer}`;
}

/** The imports that enter a module of `runtime/` at another file than its entry file. */
export function aroundEntryFiles(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, to }) => {
    const target = moduleOf(to);
    if (target === null || target === moduleOf(from)) return false;
    return to !== `${target}/index.ts` && !entryFiles.has(to);
  });
}

/** Names that two files of one group or more have, each with its files. */
export function sameNames(files: readonly string[], groupOf: (file: string) => string): string[] {
  return [...grouped(files, groupOf).values()]
    .flatMap((group) => [...grouped(group, (file) => file.slice(file.lastIndexOf("/") + 1))])
    .filter(([, all]) => all.length > 1)
    .map(([name, all]) => `${name}: ${all.sort().join(", ")}`)
    .sort();
}

/** Newer versions of Node.js have `Map.groupBy`. */
function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

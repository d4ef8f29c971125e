import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = resolve(import.meta.dirname, "..", "..");

/** The files that `exports` leads to, by the names under which others import them. */
const doors: ReadonlyMap<string, string> = new Map(
  Object.entries<string | { "kirak-source": string }>(JSON.parse(textOf("package.json")).exports).flatMap(
    ([name, to]) =>
      typeof to === "string" ? [] : [[name.replace(".", "kirak"), to["kirak-source"].replace("./", "")]],
  ),
);

/** An import of a file of ours by another, of values or of types, as paths from the root. */
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

/** Every import of a file of ours by one in a folder. */
export function importsIn(folder: string): Import[] {
  return filesIn(folder).flatMap(importsOf);
}

/** Every import of a file of ours by another; texts of modules that a test writes are none. */
export function importsOf(file: string): Import[] {
  return [...importsByPath(file), ...importsOfPrograms(file), ...importsByName(file)];
}

/** Those from the root of a program: `#runtime/…`. */
function importsOfPrograms(file: string): Import[] {
  return specifiersIn(file, '#[^"]+').map((path) => ({ from: file, to: `${path.slice(1)}.ts` }));
}

/** Those by relative paths. */
export function importsByPath(file: string): Import[] {
  return specifiersIn(file, '\\.[^"]+').map((path) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), path))
      .split(sep)
      .join("/"),
  }));
}

/** Those of doors of the runtime by their names: `kirak/rest`. */
export function importsByName(file: string): Import[] {
  return specifiersIn(file, 'kirak(?:/[^"]+)?').map((name) => ({ from: file, to: doors.get(name) ?? name }));
}

function specifiersIn(file: string, form: string): string[] {
  const found = textOf(file).matchAll(new RegExp(`^(?! *').*?(?:from|import)\\s*\\(?\\s*"(${form})"`, "gm"));
  return [...found].map(([, specifier = ""]) => specifier);
}

/** Children of one folder, files and sub-folders, each of which leads to all others by imports. */
export interface Circle {
  /** The folder and its children: `runtime/mail: mailer.ts, smtp.ts`. */
  readonly name: string;
  /** The imports between these children; first those which tie two of them that few others tie: they are easiest to cut. */
  readonly imports: readonly Import[];
}

/** The circles in each folder; what is below a sub-folder counts as that. */
export function circlesIn(imports: readonly Import[]): Circle[] {
  return [...grouped(imports.flatMap(stepOf), ({ folder }) => folder)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, steps]) => circlesOf(folder, steps));
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

function circlesOf(folder: string, steps: readonly Step[]): Circle[] {
  const children = [...new Set(steps.map(({ from }) => from))].sort();
  const reached = new Map(children.map((child) => [child, reachedFrom(child, steps)]));
  const leads = (from: string, to: string) => reached.get(from)?.has(to) === true;
  const circles = new Set(
    children.flatMap((child) => {
      const members = children.filter((other) => leads(child, other) && leads(other, child));
      return members.length === 0 ? [] : [members.join(", ")];
    }),
  );
  return [...circles].map((members) => {
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

/** A folder of `runtime/`, whose `index.ts` is its door; null for what lies in no room. */
function roomOf(file: string): string | null {
  return /^runtime\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** The imports that enter a room of `runtime/` otherwise than through its door. */
export function aroundDoors(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, to }) => {
    const room = roomOf(to);
    // What apps import by name is no room.
    if (room === null || room === "doors") return false;
    return room !== roomOf(from) && to !== `runtime/${room}/index.ts`;
  });
}

/** Names of files that stand twice, each with its files. */
export function doubles(files: readonly string[]): string[] {
  return [...grouped(files, (file) => file.slice(file.lastIndexOf("/") + 1))]
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

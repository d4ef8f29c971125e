import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Document, Node } from "yaml";
import { type MetadataNode, nodeAt, nodeNumber } from "#generator/introspect/hasura/metadata-node";
import { CommandError } from "#runtime/process/index";

/** Against files that expand without end. */
const limits = { bytes: 10_000_000, values: 1_000_000, aliases: 1000, depth: 60 };

const tooMuch = `more than ${limits.values} values, ${limits.aliases} aliases or ${limits.depth} levels, with those of includes`;

/** The databases of a metadata folder, and the other YAML files by their names without `.yaml`. */
export interface MetadataFolder {
  readonly databases: MetadataNode;
  readonly files: ReadonlyMap<string, MetadataNode>;
}

/** Reads a metadata folder of version 3. Throws `CommandError`, with file and line, for a folder that cannot be read. */
export async function readMetadataFolder(given: string, root: string): Promise<MetadataFolder> {
  const path = resolve(root, given);
  const { folder, entries } = folderAt(path, given);
  const read = reader(given, folder, await loadYaml());
  const version = read("version.yaml");
  const stated = nodeAt(version, "version") ?? version;
  if (nodeNumber(stated) !== 3)
    throw problem(
      stated,
      "this command reads `version: 3`: upgrade it with `hasura scripts update-project-v3`",
    );
  const names = entries.filter((name) => name.endsWith(".yaml") && name !== "version.yaml");
  return {
    databases: read("databases/databases.yaml"),
    files: new Map(names.toSorted().map((name) => [name.slice(0, -".yaml".length), read(name)])),
  };
}

function folderAt(path: string, given: string) {
  try {
    return { folder: realpathSync(path), entries: readdirSync(path) };
  } catch {
    throw new CommandError(`--hasura: the folder ${given} does not exist, or cannot be read`);
  }
}

async function loadYaml(): Promise<typeof import("yaml")> {
  try {
    return await import("yaml");
  } catch {
    throw new CommandError("--hasura needs the package yaml: npm install --save-dev yaml@^2.9.1");
  }
}

type Place = Pick<MetadataNode, "file" | "line">;

function problem({ file, line }: Place, text: string): CommandError {
  return new CommandError(`${file}:${line}: ${text}`);
}

/** Reads files of a folder, with their includes. */
function reader(given: string, folder: string, yaml: typeof import("yaml")): (name: string) => MetadataNode {
  const count = { values: 0, aliases: 0 };
  return (name) => readFile(name, { file: join(given, name), line: 1 }, 0);

  function readFile(name: string, from: Place, depth: number): MetadataNode {
    return parse(name, textOf(name, from), depth);
  }

  function textOf(name: string, from: Place): string {
    try {
      const path = realpathSync(join(folder, name));
      if (!path.startsWith(folder + sep)) throw problem(from, `${name} is outside of the metadata folder`);
      const stats = statSync(path);
      if (!path.endsWith(".yaml") || !stats.isFile()) throw problem(from, `${name} is not a .yaml file`);
      if (stats.size > limits.bytes) throw problem(from, `${name} has more than ${limits.bytes} bytes`);
      return readFileSync(path, "utf8");
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw problem(from, `the file ${name} of the metadata folder does not exist, or cannot be read`);
    }
  }

  function parse(name: string, text: string, depth: number): MetadataNode {
    const file = join(given, name);
    const lineCounter = new yaml.LineCounter();
    const customTags = [{ tag: "!include", resolve: (path: string) => `!include ${path}` }];
    try {
      const document = yaml.parseDocument(text, {
        lineCounter,
        customTags,
        intAsBigInt: true,
        logLevel: "error",
      });
      const [error] = document.errors;
      if (error === undefined)
        return convert(document.contents, { file, line: 1 }, depth, { name, document, lineCounter });
      const { line } = lineCounter.linePos(error.pos[0]);
      throw problem({ file, line }, `it is not YAML: ${error.message.split("\n")[0]}`);
    } catch (error) {
      // The parser is recursive.
      throw error instanceof RangeError ? problem({ file, line: 1 }, tooMuch) : error;
    }
  }

  function convert(node: unknown, around: Place, depth: number, source: Source): MetadataNode {
    const range = yaml.isNode(node) ? node.range : null;
    const line = range == null ? around.line : source.lineCounter.linePos(range[0]).line;
    const place = { file: around.file, line };
    const isAlias = yaml.isAlias(node);
    if (isAlias) count.aliases++;
    if (++count.values > limits.values || count.aliases > limits.aliases || depth > limits.depth)
      throw problem(place, tooMuch);
    const inside = (inner: unknown) => convert(inner, place, depth + 1, source);
    if (isAlias) return inside(node.resolve(source.document));
    if (yaml.isSeq(node)) return { ...place, value: node.items.map(inside) };
    if (yaml.isMap(node))
      return { ...place, value: new Map(node.items.map(({ key, value }) => [String(key), inside(value)])) };
    const value = yaml.isScalar(node) ? node.value : null;
    if (typeof value === "string" && value.startsWith("!include ")) {
      const included = resolve(folder, dirname(source.name), value.slice("!include ".length).trim());
      return readFile(relative(folder, included), place, depth + 1);
    }
    if (typeof value === "number" || typeof value === "bigint")
      return { ...place, value: { digits: String(value) } };
    return { ...place, value: typeof value === "string" || typeof value === "boolean" ? value : null };
  }
}

interface Source {
  /** Relative to the folder. */
  readonly name: string;
  readonly document: Document<Node>;
  readonly lineCounter: import("yaml").LineCounter;
}

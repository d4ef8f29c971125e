import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Node, Pair } from "yaml";
import type { MetadataNode } from "#generator/introspect/hasura/metadata-node";
import { CommandError } from "#runtime/process/index";

type Yaml = typeof import("yaml");

/** Limits of a metadata folder, against files that expand without end. */
const [maxBytes, maxNodes, maxAliases, maxDepth] = [10_000_000, 1_000_000, 1000, 60];

/** The databases of a metadata folder, and the other YAML files by their names without `.yaml`. */
export interface MetadataFolder {
  readonly databases: MetadataNode;
  readonly files: ReadonlyMap<string, MetadataNode>;
}

/** Reads a metadata folder of version 3. Throws `CommandError`, with file and line, for a folder that cannot be read. */
export async function readMetadataFolder(given: string, root: string): Promise<MetadataFolder> {
  const folder = new Folder(given, resolve(root, given), await loadYaml());
  const version = folder.read(
    "version.yaml",
    "a metadata folder of Hasura has this file: name the folder `metadata` of the project",
  );
  const stated = version.value instanceof Map ? version.value.get("version") : undefined;
  const digits =
    stated?.value instanceof Object && "digits" in stated.value ? stated.value.digits : "unknown";
  if (digits !== "3")
    throw problem(
      stated ?? version,
      `the version of the metadata is ${digits}, and this command reads version 3: upgrade it with \`hasura scripts update-project-v3\``,
    );
  const databases = folder.read("databases/databases.yaml", "metadata of version 3 has this file");
  const names = readdirSync(folder.path)
    .filter((name) => name.endsWith(".yaml") && name !== "version.yaml")
    .toSorted();
  return {
    databases,
    files: new Map(names.map((name) => [name.slice(0, -".yaml".length), folder.read(name)])),
  };
}

async function loadYaml(): Promise<Yaml> {
  try {
    return await import("yaml");
  } catch {
    throw new CommandError("--hasura needs the package yaml: npm install --save-dev yaml@^2.9.1");
  }
}

function problem({ file, line }: Pick<MetadataNode, "file" | "line">, text: string): CommandError {
  return new CommandError(`${file}:${line}: ${text}`);
}

/** Files of one folder, with their includes. */
class Folder {
  readonly path: string;
  readonly #given: string;
  readonly #yaml: Yaml;
  #nodes = 0;
  #aliases = 0;

  constructor(given: string, path: string, yaml: Yaml) {
    this.#given = given;
    this.#yaml = yaml;
    try {
      this.path = realpathSync(path);
    } catch {
      throw new CommandError(`--hasura: the folder ${given} does not exist`);
    }
  }

  /** A file of the folder. `hint` says what a missing file means. */
  read(name: string, hint = "it cannot be read"): MetadataNode {
    return this.#file(name, { file: join(this.#given, name), line: 1 }, hint, 0);
  }

  /** The content of a file that `from` includes. */
  #file(name: string, from: Pick<MetadataNode, "file" | "line">, hint: string, depth: number): MetadataNode {
    let real: string;
    try {
      real = realpathSync(join(this.path, name));
      if (!statSync(real).isFile()) throw new Error("not a file");
    } catch {
      throw problem(from, `the file ${name} does not exist: ${hint}`);
    }
    if (!real.startsWith(this.path + sep)) throw problem(from, `${name} is outside of the metadata folder`);
    if (statSync(real).size > maxBytes) throw problem(from, `${name} has more than ${maxBytes} bytes`);
    return this.#parse(name, readFileSync(real, "utf8"), depth);
  }

  #parse(name: string, text: string, depth: number): MetadataNode {
    const { LineCounter, parseDocument } = this.#yaml;
    const file = join(this.#given, name);
    const lines = new LineCounter();
    const include = { tag: "!include", resolve: (path: string) => `!include ${path}` };
    try {
      const document = parseDocument(text, {
        lineCounter: lines,
        customTags: [include],
        intAsBigInt: true,
        logLevel: "error",
      });
      const [error] = document.errors;
      if (error !== undefined)
        throw problem(
          { file, line: lines.linePos(error.pos[0]).line },
          `it is not YAML: ${error.message.split("\n")[0]}`,
        );
      const of = (node: Node | null, around: number, level: number): MetadataNode => {
        const line = node?.range == null ? around : lines.linePos(node.range[0]).line;
        return this.#node(node, {
          name,
          file,
          line,
          level,
          of,
          resolve: (alias) => alias.resolve(document) ?? null,
        });
      };
      return of(document.contents, 1, depth);
    } catch (error) {
      // The parser is recursive.
      if (error instanceof RangeError) throw problem({ file, line: 1 }, "it is nested too deeply");
      throw error;
    }
  }

  #node(node: Node | null, place: Place): MetadataNode {
    const { name, file, line, level, of } = place;
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    const limits = `more than ${maxNodes} values, ${maxAliases} aliases or ${maxDepth} levels, with those of includes`;
    if (++this.#nodes > maxNodes || level > maxDepth) throw problem({ file, line }, limits);
    const inside = (inner: unknown) => of(this.#yaml.isNode(inner) ? inner : null, line, level + 1);
    if (isAlias(node)) {
      if (++this.#aliases > maxAliases) throw problem({ file, line }, limits);
      return of(place.resolve(node), line, level + 1);
    }
    if (isSeq(node)) return { file, line, value: node.items.map(inside) };
    if (isMap(node))
      return { file, line, value: new Map(node.items.map((pair) => [keyOf(pair), inside(pair.value)])) };
    const value = isScalar(node) ? node.value : null;
    if (typeof value === "string" && value.startsWith("!include ")) {
      const included = relative(
        this.path,
        resolve(this.path, dirname(name), value.slice("!include ".length).trim()),
      );
      return this.#file(included, { file, line }, "this line includes it", level + 1);
    }
    if (typeof value === "number" || typeof value === "bigint")
      return { file, line, value: { digits: String(value) } };
    return { file, line, value: typeof value === "string" || typeof value === "boolean" ? value : null };
  }
}

interface Place extends Pick<MetadataNode, "file" | "line"> {
  /** Relative to the folder. */
  readonly name: string;
  readonly level: number;
  readonly of: (node: Node | null, around: number, level: number) => MetadataNode;
  readonly resolve: (alias: import("yaml").Alias) => Node | null;
}

function keyOf({ key }: Pair): string {
  const value: unknown = typeof key === "object" && key !== null && "value" in key ? key.value : key;
  return String(value);
}

import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { mapOf, readHasuraMetadata, withPlace } from "#generator/introspect/hasura/hasura-metadata";
import { CommandError } from "#runtime/process/index";
import { type Json, jsonCopy } from "#vocabulary/json";

/** Reads a metadata folder of version 3. Throws `CommandError`, with file and line, for a folder that cannot be read. */
export async function readMetadataFolder(given: string, guest: string | null, root: string) {
  const yaml = await import("yaml").catch(() => {
    throw new CommandError("--hasura needs the package yaml: npm install --save-dev yaml@^2.9.1");
  });
  const folder = resolve(root, given);
  // `from` is where the name of a file is written, and `above` are the files that include it.
  const readYaml = (path: string, from: string, above: readonly string[]): Json => {
    const file = join(given, relative(folder, path));
    const text = above.includes(path) ? null : textIn(folder, path);
    if (text === null)
      throw new CommandError(`${from}: ${file} cannot be read, or is not another .yaml file of the folder`);
    const lines = new yaml.LineCounter();
    const placeOf = (offset: number) => `${file}:${lines.linePos(offset).line}`;
    try {
      const customTags = [{ tag: "!include", resolve: (path: string) => `!include ${path}` }];
      const document = yaml.parseDocument(text, { lineCounter: lines, customTags, logLevel: "error" });
      const plain = (node: unknown): Json => {
        const place = placeOf((yaml.isNode(node) ? node.range?.[0] : null) ?? 0);
        if (yaml.isAlias(node)) return plain(node.resolve(document));
        if (yaml.isSeq(node)) return withPlace(node.items.map(plain), place);
        if (yaml.isMap(node)) {
          const entries = node.items.map(({ key, value }) => [String(key), plain(value)] as const);
          return withPlace(Object.fromEntries(entries), place);
        }
        const value = yaml.isScalar(node) ? jsonCopy(node.value) : null;
        if (typeof value !== "string" || !value.startsWith("!include ")) return value;
        const included = resolve(dirname(path), value.slice("!include ".length).trim());
        return readYaml(included, place, [...above, path]);
      };
      for (const error of document.errors) throw error;
      // Throws for aliases that expand without end.
      document.toJS({ maxAliasCount: 10_000 });
      return plain(document.contents);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const place = placeOf(error instanceof yaml.YAMLParseError ? error.pos[0] : 0);
      throw new CommandError(`${place}: it is not YAML: ${String(error).split("\n")[0]}`);
    }
  };
  const read = (name: string) => readYaml(join(folder, name), `${join(given, name)}:1`, []);
  if (mapOf(read("version.yaml"))["version"] !== 3)
    throw new CommandError(
      `${join(given, "version.yaml")}:1: this command reads \`version: 3\`: upgrade it with \`hasura scripts update-project-v3\``,
    );
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml") && name !== "version.yaml");
  const files = names.toSorted().map((name) => [name.slice(0, -".yaml".length), read(name)] as const);
  return readHasuraMetadata(read("databases/databases.yaml"), Object.fromEntries(files), guest);
}

/** The text of a .yaml file in the folder; null for other files, and for those that cannot be read. */
function textIn(folder: string, path: string): string | null {
  try {
    const found = realpathSync(path);
    const isInside = found.startsWith(realpathSync(folder) + sep);
    return isInside && found.endsWith(".yaml") ? readFileSync(found, "utf8") : null;
  } catch {
    return null;
  }
}

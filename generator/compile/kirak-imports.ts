import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { catalogue, createLocator, type Diagnostic, type Sources } from "../diagnostics/index.ts";
import { withoutComments } from "../load/read-hooks.ts";
import { parsedJson } from "../output/lock-file.ts";

/**
 * Reports imports of Kirak's files by their path. Node.js loads such a module a second time, with other classes: the service would
 * answer 500 for each `ServiceError` of that copy.
 */
export function importsByPath(root: string, sources: Sources): Diagnostic[] {
  const locate = createLocator(sources);
  return [...sources].flatMap(([file, text]) =>
    [...withoutComments(text).matchAll(imports)].flatMap((found) => {
      const [whole, names = "", path = ""] = found;
      const kirak = kirakOf(resolve(root, dirname(file), path));
      if (kirak === null) return [];
      const at = { file, offset: found.index + whole.length - path.length - 1, length: path.length };
      return [
        {
          code: "import-by-path" as const,
          severity: catalogue["import-by-path"].severity,
          message: `Kirak is imported by its path "${path}", which loads a second copy of it`,
          hint: `write: from ${nameOf(kirak, namesIn(names))}`,
          ...locate(at),
        },
      ];
    }),
  );
}

const imports = /\b(?:import|export)\b([^"'`;]*?)["']((?:\.{1,2}\/|\/)[^"'\n]+)["']/g;
const ofKirak = /^(lib\/)?(runtime|vocabulary|generator|cli)\//;

/** The folder of Kirak if a path is a module of it; null otherwise. */
function kirakOf(path: string): string | null {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { name }: { name?: unknown } = Object(parsedJson(readFileSync(manifest, "utf8")));
    const inside = relative(folder, path).split(sep).join("/");
    return name === "kirak" && ofKirak.test(inside) ? folder : null;
  }
  return null;
}

function namesIn(clause: string): string[] {
  const [, list = ""] = /\{([^}]*)\}/.exec(clause) ?? [];
  return list.split(",").flatMap((item) => /^\s*(?:type\s+)?(\w+)/.exec(item)?.[1] ?? []);
}

/** The public name that exports all names, in quotes; all public names if none does. */
function nameOf(kirak: string, names: readonly string[]): string {
  const { exports }: { exports?: Record<string, { types?: string }> } = Object(
    parsedJson(readFileSync(join(kirak, "package.json"), "utf8")),
  );
  const modules = Object.entries(exports ?? {}).flatMap(([name, { types }]) =>
    types === undefined ? [] : [{ name: `"kirak${name.slice(1)}"`, file: join(kirak, types) }],
  );
  const found = modules.find(({ file }) => {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return names.length > 0 && names.every((name) => new RegExp(`\\b${name}\\b`).test(text));
  });
  return found?.name ?? `one of ${modules.map(({ name }) => name).join(", ")}`;
}

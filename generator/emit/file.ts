import { posix } from "node:path";
import { stringLiteral, thenProperty } from "./literal.ts";

/** One import line as data. */
export interface Import {
  /** `./name.ts` next to the file, `../other/name.ts`, a path from the root of the project such as `models/hooks/books.ts`, or a public export. */
  readonly from: string;
  /** The name that its default export gets. */
  readonly main?: string;
  /** Names to import, `type Row` for types, `routes as books` under another name. */
  readonly names?: readonly string[];
  /** Imports all of it under this name. */
  readonly namespace?: string;
  /** All names are types. */
  readonly typeOnly?: boolean;
}

/** Prints a generated TypeScript file: where it comes from, its imports, its text. `file` is a path from the root. */
export function printFile(file: string, origin: string, imports: readonly Import[], body: string): string {
  const header = `// Made by \`npm run generate\` ${origin}`;
  const lines = imports.map((entry) => printImport(file, entry));
  return `${[header, ...suppressions(body), ...lines].join("\n")}\n\n${body}`;
}

/** Field names that the linter does not expect, and which are data here: no one awaits these objects. */
function suppressions(body: string): string[] {
  const then = body.split("\n").some((line) => line.includes(`${thenProperty}: `) && !line.endsWith(";"));
  return then ? ["// biome-ignore-all lint/suspicious/noThenProperty: a field has this name"] : [];
}

/** The runtime's own name, which `exports` of `package.json` leads to. */
const runtime = "kirak";

/** A public export of the runtime, for an import: of one of its folders, else the main export. */
export function importFromKirak(folder?: string): string {
  return folder === undefined ? runtime : `${runtime}/${folder}`;
}

function printImport(file: string, entry: Import): string {
  const from = stringLiteral(specifier(file, entry.from));
  if (entry.namespace !== undefined) return `import * as ${entry.namespace} from ${from};`;
  const keyword = entry.typeOnly ? "import type" : "import";
  if (entry.main !== undefined) return `${keyword} ${entry.main} from ${from};`;
  return `${keyword} { ${[...(entry.names ?? [])].join(", ")} } from ${from};`;
}

function specifier(file: string, from: string): string {
  if (/^\.\.?\//.test(from) || from === runtime || from.startsWith(`${runtime}/`)) return from;
  const path = posix.relative(posix.dirname(file), from);
  return path.startsWith(".") ? path : `./${path}`;
}

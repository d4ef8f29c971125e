import { posix } from "node:path";
import { stringLiteral, thenProperty } from "./literal.ts";

/** One import line as data. */
export interface Import {
  /** `./name.ts` next to the file, `../other/name.ts`, a path from the root of the project such as `models/hooks/books.ts`, or a public export. */
  readonly from: string;
  /** The local name of its default export. */
  readonly main?: string;
  /** Names to import, `type Row` for types, `routes as books` under another name. */
  readonly names?: readonly string[];
  /** The local name for a namespace import. */
  readonly namespace?: string;
  /** Whether all names are types. */
  readonly typeOnly?: boolean;
}

/** Prints a generated TypeScript file: header, imports, text. `file` is a path from the root. */
export function printFile(file: string, origin: string, imports: readonly Import[], body: string): string {
  const header = `// Made by \`npm run generate\` ${origin}`;
  const lines = imports.map((entry) => printImport(file, entry));
  return `${[header, ...suppressions(body), ...lines].join("\n")}\n\n${body}`;
}

/** Suppressions for field names that the linter rejects. They are data here: no code awaits these objects. */
function suppressions(body: string): string[] {
  const then = body.split("\n").some((line) => line.includes(`${thenProperty}: `) && !line.endsWith(";"));
  return then ? ["// biome-ignore-all lint/suspicious/noThenProperty: a field has this name"] : [];
}

/** The package name of the runtime. */
const runtime = "kirak";

/** A public export of the runtime for an import: `kirak`, or `kirak/<folder>`. */
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

import { relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { notFlag, unknownFlag } from "../../generator/cli/flag-texts.ts";
import { usualPlaces } from "../../generator/diagnostics/command.ts";

/** The flags of `npm run introspect`. Paths are relative to the project. */
export interface Flags {
  readonly url: string | null;
  readonly schema: string;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export const usage = `npm run introspect -- [flags]

Reads a PostgreSQL database and writes models/models.json, and a baseline migration that is marked as applied in it.
Nothing else changes in the database: npm run generate plans the rest, for you to review.

  --url <url>         the database; default SERVICE_DATABASE_URL
  --schema <name>     its schema; default public
  --models <path>     default models/models.json
  --manifest <path>   default models/manifest.json; written where there is none
  --out <path>        default generated
  --force             replace models and migrations that are there
  --dry-run           write nothing, and mark nothing; say what would be made

Exit codes:
  0   all is well
  1   something is there already, or the baseline could not be marked as applied
  2   bad flags, a database that cannot be read or has no tables, a file that cannot be written
  70  a bug, with its stack
`;

/** Reads a command line; the text is what is wrong with it. */
export function parseFlags(
  words: readonly string[],
  root: string,
): Flags | "help" | { readonly error: string } {
  const wrong = problemIn(words);
  if (wrong !== null) return { error: wrong };
  try {
    const { values } = parseArgs({ args: [...words], options, strict: true });
    if (values.help) return "help";
    const path = (given: string) => relative(root, resolve(root, given)).split(sep).join("/");
    const empty = (["url", "schema", "models", "manifest", "out"] as const).find(
      (name) => values[name] === "",
    );
    if (empty !== undefined) return { error: `--${empty} is empty` };
    return {
      url: values.url ?? null,
      schema: values.schema,
      models: path(values.models),
      manifest: path(values.manifest),
      out: path(values.out),
      force: values.force,
      dryRun: values["dry-run"],
    };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** What is wrong with the words one by one, as `npm run generate` says it. */
function problemIn(words: readonly string[]): string | null {
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  const [problem] = tokens.flatMap((token) => {
    if (token.kind === "positional") return notFlag(token.value, Object.keys(options));
    return token.kind === "option" ? (optionProblem(token) ?? []) : [];
  });
  return problem ?? null;
}

interface Given {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function optionProblem({ name, rawName, value, inlineValue }: Given): string | null {
  const known: Readonly<Record<string, { readonly type: string }>> = options;
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (option === undefined) return unknownFlag(rawName, Object.keys(options));
  if (option.type === "boolean") return value === undefined ? null : `${rawName} takes no value`;
  const isFlag = inlineValue !== true && value?.startsWith("-") === true;
  return value === undefined || isFlag ? `${rawName} needs a value` : null;
}

const options = {
  url: { type: "string" },
  schema: { type: "string", default: "public" },
  models: { type: "string", default: usualPlaces.models },
  manifest: { type: "string", default: usualPlaces.manifest },
  out: { type: "string", default: usualPlaces.out },
  force: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

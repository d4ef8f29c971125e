import { suggestion } from "#vocabulary/nearest";

/** Examples for the flag `--example`. */
export const initExamples = {
  blank: "two small models with access rules: a start for your own app",
  bookshop: "a shop with orders, payments, jobs, mails and pictures",
  saas: "organisations with members, invitations by mail, projects and tasks",
} as const;

export type InitExample = keyof typeof initExamples;

/** Names of the examples. */
export const initExampleNames: readonly string[] = Object.keys(initExamples);

/** Whether an example has this name. */
export function isInitExample(name: string): name is InitExample {
  return initExampleNames.includes(name);
}

/** Arguments of `kirak init`. */
export interface InitFlags {
  /** Folder of the app, relative to the current folder. */
  readonly folder: string;
  readonly example?: string | null;
  /** The URL of a database whose tables become the models. */
  readonly fromDatabase?: string | null;
  /** Its schema. */
  readonly schema?: string | null;
  /** The kirak dependency: a version, a tag, or the path of a tarball. */
  readonly kirak?: string | null;
  /** Whether to create a git repository if the folder has none. */
  readonly git: boolean;
  /** Whether to install packages. Default: only with a database, which the app's own kirak reads. */
  readonly install?: boolean;
  readonly noInstall?: boolean;
}

/** The source of the models. */
export type Origin =
  | { readonly example: InitExample }
  | { readonly database: string; readonly schema: string };

/** Why the arguments are invalid, or null. */
export function initProblem(flags: InitFlags): string | null {
  if (flags.install === true && flags.noInstall === true)
    return "--install and --no-install cannot be combined";
  const origin = originOf(flags);
  return "problem" in origin ? origin.problem : null;
}

/** The source of the models, or why it is invalid. */
export function originOf({
  example = null,
  fromDatabase = null,
  schema = null,
}: InitFlags): Origin | { readonly problem: string } {
  if (fromDatabase !== null) {
    if (example !== null) return { problem: "--example and --from-database cannot be combined" };
    return isDatabaseUrl(fromDatabase)
      ? { database: fromDatabase, schema: schema ?? "public" }
      : {
          problem:
            "--from-database takes the URL of a PostgreSQL database: postgres://user:password@host:5432/database",
        };
  }
  if (schema !== null) return { problem: "--schema selects tables of --from-database: add --from-database" };
  const name = example ?? "blank";
  if (isInitExample(name)) return { example: name };
  return {
    problem: `there is no example ${JSON.stringify(name)}; the examples are ${initExampleNames.join(", ")}${suggestion(name, initExampleNames)}`,
  };
}

/** Never print the URL in an error: it can hold a password. */
function isDatabaseUrl(text: string): boolean {
  return (
    URL.canParse(text) &&
    ["postgres:", "postgresql:"].includes(new URL(text).protocol) &&
    !/[\r\n]/.test(text)
  );
}

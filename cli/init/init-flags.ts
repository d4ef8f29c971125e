import { suggestion } from "#vocabulary/nearest";

/** What an app of your own can start as, by the flag `--example`. */
export const initExamples = {
  blank: "two small models with access rules: a start for your own app",
  bookshop: "a shop with orders, payments, jobs, mails and pictures",
  saas: "organisations with members, invitations by mail, projects and tasks",
} as const;

export type InitExample = keyof typeof initExamples;

/** Names of the examples. */
export const initExampleNames: readonly string[] = Object.keys(initExamples);

/** Whether there is an example of this name. */
export function isInitExample(name: string): name is InitExample {
  return initExampleNames.includes(name);
}

/** What `kirak init` is asked for, as it was typed. */
export interface InitFlags {
  /** Where the app is to be, relative to where the command runs. */
  readonly folder: string;
  readonly example?: string | null;
  /** The URL of a database whose tables become the models. */
  readonly fromDatabase?: string | null;
  /** Its schema. */
  readonly schema?: string | null;
  /** What the app depends on: a version, a tag, or the path of a tarball. */
  readonly kirak?: string | null;
  /** Whether to create a git repository if the folder has none. */
  readonly git: boolean;
  /** Whether packages are installed. Where neither is stated, they are for a database, which the app's own kirak reads. */
  readonly install?: boolean;
  readonly noInstall?: boolean;
}

/** What the models of an app come from. */
export type Origin =
  | { readonly example: InitExample }
  | { readonly database: string; readonly schema: string };

/** What is wrong with what was asked for, or null. */
export function initProblem(flags: InitFlags): string | null {
  if (flags.install === true && flags.noInstall === true)
    return "--install and --no-install exclude each other";
  const origin = originOf(flags);
  return "problem" in origin ? origin.problem : null;
}

/** What the models come from, or what is wrong with what was asked for. */
export function originOf({
  example = null,
  fromDatabase = null,
  schema = null,
}: InitFlags): Origin | { readonly problem: string } {
  if (fromDatabase !== null) {
    if (example !== null) return { problem: "--example and --from-database exclude each other" };
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
    problem: `there is no example ${JSON.stringify(name)}, but ${initExampleNames.join(", ")}${suggestion(name, initExampleNames)}`,
  };
}

/** Anything that is wrong with it, it is never printed: it holds a password. */
function isDatabaseUrl(text: string): boolean {
  return (
    URL.canParse(text) &&
    ["postgres:", "postgresql:"].includes(new URL(text).protocol) &&
    !/[\r\n]/.test(text)
  );
}

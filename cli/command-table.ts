import type { Command, CommandGroup } from "./define-command.ts";
import type { DevelopmentPackage } from "./development-packages.ts";

/** The module of a command, in `commands/`. */
export interface CommandModule {
  readonly command: Command | CommandGroup;
  /** Runs the command without reading flags, because reading them loads a library; false if it has to read them. */
  readonly atOnce?: (words: readonly string[], root: string) => Promise<boolean>;
}

/** A line of the table. */
export interface Row {
  readonly name: string;
  /** Where the help of `kirak` shows it. */
  readonly group: "begin" | "develop" | "operate";
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
  /**
   * Where it runs: in the app that the folder is in, which must be there unless it is `app-or-here`; or in this very folder. An app
   * is as near as its models.
   */
  readonly where: "app" | "app-or-here" | "here";
  /** A flag that says where else an app's models are: with it the command runs where there is no app, too. */
  readonly placeFlag?: string;
  /** Packages of development that it cannot do without. */
  readonly needs?: readonly DevelopmentPackage[];
}

const generator = ["typescript", "ts-morph", "@biomejs/biome"] as const;

/** The commands, in the order of the help. One that is not chosen is not loaded. */
export const commandTable: readonly Row[] = [
  {
    name: "init",
    group: "begin",
    summary: "creates an app in a folder",
    where: "here",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "introspect",
    group: "begin",
    summary: "reads an existing database and writes models/",
    where: "app-or-here",
    needs: generator,
    load: () => import("./commands/introspect.ts"),
  },
  {
    name: "secrets",
    group: "begin",
    summary: "creates random values for all secrets of .env",
    where: "app-or-here",
    load: () => import("./commands/secrets.ts"),
  },
  {
    name: "generate",
    group: "develop",
    summary: "generates code from models/ and reports the changes",
    where: "app",
    placeFlag: "--models",
    needs: generator,
    load: () => import("./commands/generate.ts"),
  },
  {
    name: "dev",
    group: "develop",
    summary: "regenerates and restarts the server on each change",
    where: "app",
    needs: generator,
    load: () => import("./commands/dev.ts"),
  },
  {
    name: "token",
    group: "develop",
    summary: "prints an access token with any role, for testing the API",
    where: "app",
    load: () => import("./commands/token.ts"),
  },
  {
    name: "run",
    group: "develop",
    summary: "runs a program of the app, such as a seed or a custom server",
    where: "app",
    load: () => import("./commands/run.ts"),
  },
  {
    name: "build",
    group: "operate",
    summary: "compiles the app to dist/ for a deployment",
    where: "app",
    needs: ["typescript"],
    load: () => import("./commands/build.ts"),
  },
  {
    name: "start",
    group: "operate",
    summary: "starts the server",
    where: "app",
    load: () => import("./commands/start.ts"),
  },
  {
    name: "migrate",
    group: "operate",
    summary: "migrates the database",
    where: "app",
    load: () => import("./commands/migrate.ts"),
  },
  {
    name: "create-admin",
    group: "operate",
    summary: "creates an account with the role admin or another role",
    where: "app",
    load: () => import("./commands/create-admin.ts"),
  },
  {
    name: "worker",
    group: "operate",
    summary: "runs jobs, without an HTTP server",
    where: "app",
    load: () => import("./commands/worker.ts"),
  },
  {
    name: "jobs",
    group: "operate",
    summary: "lists, retries and removes jobs",
    where: "app",
    load: () => import("./commands/jobs.ts"),
  },
  {
    name: "purge",
    group: "operate",
    summary: "removes expired data; run it once a day",
    where: "app",
    load: () => import("./commands/purge.ts"),
  },
  {
    name: "completion",
    group: "begin",
    summary: "prints a completion script for your shell",
    where: "here",
    load: () => import("./commands/completion.ts"),
  },
];

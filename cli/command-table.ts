import type { Command, CommandGroup } from "./define-command.ts";
import type { DevelopmentPackage } from "./development-packages.ts";

/** The module of a command, in `commands/`. */
export interface CommandModule {
  readonly command: Command | CommandGroup;
  /**
   * Runs the command without reading flags, because reading them loads a library; false if it has to read
   * them.
   */
  readonly atOnce?: (words: readonly string[], root: string) => Promise<boolean>;
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  /** Its group in the help of `kirak`. */
  readonly group: "begin" | "develop" | "operate";
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
  /**
   * Where the command runs: `app` needs an app around the folder, `app-or-here` takes the folder without one,
   * `here` always takes the folder. `models/` marks an app.
   */
  readonly where: "app" | "app-or-here" | "here";
  /** A flag that names other models. With it the command also runs without an app. */
  readonly placeFlag?: string;
  /** Development packages that the command needs. */
  readonly needs?: readonly DevelopmentPackage[];
}

const generator = ["typescript", "ts-morph", "@biomejs/biome"] as const;

/** The commands, in the order of the help. Each is loaded only when it is used. */
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
    summary: "creates the secrets of .env, and helps to replace them",
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
    name: "openapi",
    group: "develop",
    summary: "prints the OpenAPI document, for all roles or one",
    where: "app",
    needs: generator,
    load: () => import("./commands/openapi.ts"),
  },
  {
    name: "client",
    group: "develop",
    summary: "writes a typed client of the API for TypeScript",
    where: "app",
    needs: generator,
    load: () => import("./commands/client.ts"),
  },
  {
    name: "mcp",
    group: "develop",
    summary: "shows the tools that assistants get, for all roles or one",
    where: "app",
    needs: generator,
    load: () => import("./commands/mcp.ts"),
  },
  {
    name: "token",
    group: "develop",
    summary: "prints an access token with any role, for testing the API",
    where: "app",
    load: () => import("./commands/token.ts"),
  },
  {
    name: "explain",
    group: "develop",
    summary: "explains why an operation is allowed, refused or slow",
    where: "app",
    needs: generator,
    load: () => import("./commands/explain.ts"),
  },
  {
    name: "check-access",
    group: "develop",
    summary: "tests the access rules against the running service",
    where: "app",
    needs: generator,
    load: () => import("./commands/check-access.ts"),
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
    name: "users",
    group: "operate",
    summary: "lists and changes accounts",
    where: "app",
    load: () => import("./commands/users.ts"),
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
    name: "info",
    group: "operate",
    summary: "prints versions, the app's parts and the state of its database",
    where: "app",
    load: () => import("./commands/info.ts"),
  },
  {
    name: "completion",
    group: "begin",
    summary: "prints a completion script for your shell",
    where: "here",
    load: () => import("./commands/completion.ts"),
  },
];

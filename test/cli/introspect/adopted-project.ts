import { spawn, spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { readCommand } from "#cli/command-line";
import { command } from "#cli/commands/introspect";
import type { ParsedArgs } from "#cli/define-command";
import { readIntrospectFlags } from "#cli/introspect/introspect-flags";
import { runIntrospect } from "#cli/introspect/run-introspect";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import type { CodeMigrations } from "#runtime/migrations/runner/index";
import type { Json } from "#vocabulary/json";
import { generatorProgram, type Project, project, repository } from "../../generator/support/project.ts";
import { sendRequest } from "../../support/request.ts";
import { jwtSecret, tokenOf } from "../../support/service-token.ts";

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running service. */
export interface Started {
  readonly origin: string;
  /** What it has printed until now. */
  readonly log: () => string;
}

export interface Answer {
  readonly status: number;
  readonly data: Json;
}

/** A project without models, with the commands of the repository, on an existing database. */
export interface AdoptedProject extends Project {
  introspect(...flags: readonly string[]): Promise<Ran>;
  /** The same as a process of its own, with the database of the environment. */
  command(...flags: readonly string[]): Ran;
  /** Runs the next commands that `introspect` prints. */
  goOn(printed: string): Ran;
  migrate(...words: readonly string[]): Ran;
  /** `kirak generate` without the compile check. */
  generator(...flags: readonly string[]): Ran;
  /** A command of `kirak` on another database. */
  on(url: string, ...words: readonly string[]): Ran;
  migrations(): Promise<CodeMigrations>;
  /** Starts the service. */
  start(): Promise<Started>;
  /** Starts the service; requests are those of an admin. */
  serve(): Promise<(send: string, body?: Json) => Promise<Answer>>;
}

/** What runs `kirak` of the repository, in the folder of a project. */
const ofRepository = join(repository, "scripts/run/kirak.js");

/** Makes such a project; the commands get `url` as their database. */
export function adoptedProject(url: string): AdoptedProject {
  const own = project();
  const { root } = own;
  copyFileSync(join(repository, "tsconfig.build.json"), join(root, "tsconfig.build.json"));
  const env = {
    ...process.env,
    ...{ SERVICE_DATABASE_URL: url, SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret, PORT: "0", HOST: "127.0.0.1" },
  };
  const run = (program: readonly string[], words: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...words], {
      ...{ cwd: root, env, encoding: "utf8" },
    });
    return { status, stdout, stderr };
  };
  return {
    ...own,
    async introspect(...flags) {
      const printed = { stdout: "", stderr: "" };
      const words = ["--url", url, ...flags];
      const output = {
        print: (text: string) => {
          printed.stdout += text;
        },
        printError: (text: string) => {
          printed.stderr += text;
        },
      };
      const task = (given: ParsedArgs) => ({
        input: null,
        run: (folder: string) => runIntrospect(readIntrospectFlags(given), folder, output),
      });
      const asked = await readCommand("kirak introspect", { ...command, task }, words);
      if ("mistake" in asked) return { status: 2, stdout: "", stderr: `${asked.mistake}\n` };
      const status = ("run" in asked ? await asked.run(root) : 0) ?? null;
      return { status, ...printed };
    },
    command: (...flags) => run([ofRepository, "introspect"], flags),
    goOn: (printed) => run(generatorProgram, commandIn(printed)),
    migrate: (...words) => run([ofRepository, "migrate"], words),
    generator: (...flags) => run(generatorProgram, flags),
    on: (other, ...words) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [ofRepository, ...words], {
        ...{ cwd: root, env: { ...env, SERVICE_DATABASE_URL: other }, encoding: "utf8" },
      });
      return { status, stdout, stderr };
    },
    migrations: () => serviceMigrations(pathToFileURL(join(root, "generated/migrations/"))),
    start: () => startService(root, env),
    async serve() {
      const { origin } = await startService(root, env);
      return async (send, body) => {
        const [method = "", path = ""] = send.split(" ");
        const headers = { authorization: `Bearer ${tokenOf("admin")}` };
        const { status, envelope } = await sendRequest(origin, { method, path, headers, body });
        return { status, data: envelope.data };
      };
    },
  };
}

/** The words after `npm run generate --`; ids in quotes have no blanks in these tests. */
function commandIn(printed: string): string[] {
  const line = /npm run generate(?: -- (.*))?$/m.exec(printed)?.[1] ?? "";
  return line
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.replaceAll("'", ""));
}

function startService(root: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const child = spawn(process.execPath, [join(repository, "scripts/run/kirak.js"), "start"], {
    cwd: root,
    env,
    stdio: "pipe",
  });
  onTestFinished(() => {
    child.kill();
  });
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const origin = /listening on (http:\/\/[\w.:]+)/.exec(output)?.[1];
      if (origin !== undefined) resolve({ origin, log: () => output });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => reject(new Error(output)));
  });
}

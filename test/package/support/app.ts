import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterFile } from "../../support/after-file.ts";
import { eventually } from "../../support/eventually.ts";
import { type Ran, type Run, run, start, succeed } from "./run.ts";

/** A running service, started like a developer starts it. */
export interface Served {
  readonly origin: string;
  /** Asks it by GET, or by POST with a body. */
  ask(
    path: string,
    token?: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly text: string }>;
  /** What it printed so far. */
  printed(): string;
  /** Tells it to stop, and gives its exit code. */
  stop(): Promise<number | null>;
}

/** A custom app, with its packages installed. */
export class App {
  readonly folder: string;
  readonly #how: Run;

  constructor(how: Run) {
    this.folder = how.folder;
    this.#how = how;
  }

  /** The same app with further variables. */
  with(environment: Readonly<Record<string, string>>): App {
    return new App({ ...this.#how, environment: { ...this.#how.environment, ...environment } });
  }

  /** Runs a command, which must end well. */
  succeed(program: string, ...words: readonly string[]): Promise<Ran> {
    return succeed(program, words, this.#how);
  }

  /** Runs a command of the installed package, as `npm run` does, without npm, which is slower. */
  kirak(...words: readonly string[]): Promise<Ran> {
    return run(process.execPath, [command, ...words], this.#how);
  }

  /** The same for a command that must succeed. */
  async kirakSucceeds(...words: readonly string[]): Promise<Ran> {
    return this.succeed(process.execPath, command, ...words);
  }

  /** Starts the service by a command of the installed package, or by another program. */
  async serve(
    words: readonly string[] = [command, "start"],
    program: string = process.execPath,
  ): Promise<Served> {
    const environment = { PORT: "0", HOST: "127.0.0.1", ...this.#how.environment };
    const child = start(program, words, { ...this.#how, environment });
    const tell = (signal: NodeJS.Signals) => {
      // Terminals signal the whole process group of npm; a signal to npm itself reaches only its shell.
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, signal);
    };
    afterFile(() => tell("SIGKILL"));
    const ended = once(child, "close");
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
      });
    const address = () =>
      printed
        .match(/listening on (http:\/\/[\w.:]+)/g)
        ?.at(-1)
        ?.slice("listening on ".length);
    await eventually(() => {
      if (address() === undefined && child.exitCode === null)
        throw new Error(`it does not listen:\n${printed}`);
    });
    if (address() === undefined) throw new Error(`it has ended:\n${printed}`);
    return {
      origin: String(address()),
      async ask(path, token, body) {
        const headers: Record<string, string> =
          token === undefined ? {} : { authorization: `Bearer ${token}` };
        if (body !== undefined) headers["content-type"] = "application/json";
        const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
        const answer = await fetch(`${address()}${path}`, { headers, ...sent });
        return { status: answer.status, text: await answer.text() };
      },
      printed: () => printed,
      async stop() {
        if (program === process.execPath) child.kill("SIGTERM");
        else tell("SIGINT");
        await ended;
        return child.exitCode;
      },
    };
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Replaces the first place of a text in a file. */
  replace(path: string, text: string, by: string): void {
    const before = this.read(path);
    if (!before.includes(text)) throw new Error(`${path} has no ${text}`);
    writeFileSync(
      join(this.folder, path),
      before.replace(text, () => by),
    );
  }
}

/** The command line of the installed package. */
export const command = join("node_modules", "kirak", "lib", "cli", "kirak.js");

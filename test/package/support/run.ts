import { spawn } from "node:child_process";

/** What runs, where, and as whom. */
export interface Run {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The id of a user and group; undefined is the account of the tests. */
  readonly user?: number | undefined;
}

/** How it ended. */
export interface Ran {
  readonly code: number | null;
  /** Both streams, as they came. */
  readonly printed: string;
  /** Only standard output. */
  readonly output: string;
}

/** Variables that say how the network is reached. */
const network = /^(?:(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;

/** The environment of a user's program, without variables of the test run, such as npm's. */
export function plainEnvironment(more: Run["environment"] = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => name === "PATH" || network.test(name));
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ""])), ...more };
}

/** Starts a program in the environment of a user, and in a group of its own. */
export function start(program: string, words: readonly string[], { folder, environment, user }: Run) {
  return spawn(program, words, {
    cwd: folder,
    env: plainEnvironment(environment),
    ...(user !== undefined && { uid: user, gid: user }),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
}

/** Runs a program to its end. */
export function run(program: string, words: readonly string[], how: Run): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = start(program, words, how);
    let printed = "";
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, printed, output }));
  });
}

/** The same for a program that must succeed. Throws its output. */
export async function succeed(program: string, words: readonly string[], how: Run): Promise<Ran> {
  const ran = await run(program, words, how);
  if (ran.code !== 0)
    throw new Error(`${[program, ...words].join(" ")} ended with ${ran.code}:\n${ran.printed}`);
  return ran;
}

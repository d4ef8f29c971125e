import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";

export interface TerminalSession {
  /** Everything on the screen so far, as plain text. */
  screen(): string;
  /** Waits for a text that was not there at the last answer, then types; `\r` is the key Enter. */
  answer(prompt: string, typed: string): Promise<void>;
  /** The exit code. */
  readonly exit: Promise<unknown>;
}

/** Moves of the cursor and the like. */
const controls = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, "g");

/** Runs a command on a terminal of its own, made by the program `script`. */
export function onTerminal(
  script: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): TerminalSession {
  const line = command.map((word) => `'${word}'`).join(" ");
  const child = spawn(script, ["--quiet", "--return", "--command", line, "/dev/null"], {
    env: { PATH: process.env["PATH"], TERM: "xterm", ...environment },
  });
  let screen = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    screen = (screen + chunk.toString()).replace(controls, "").replace(/\r+\n/g, "\n");
  });
  return {
    screen: () => screen,
    async answer(prompt, typed) {
      await expect.poll(() => screen.slice(seen), { timeout: 15_000, interval: 20 }).toContain(prompt);
      seen = screen.length;
      child.stdin.write(typed);
    },
    exit: once(child, "close").then(([code]) => code),
  };
}

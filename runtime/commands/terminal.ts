import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { CommandError } from "../process/index.ts";

/** Asks questions on the terminal of this process. Questions go to standard error: standard output may lead elsewhere. */
export class Terminal {
  #muted = false;
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;

  /** Whether there is somebody to ask. */
  static isThere(): boolean {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  constructor() {
    const output = new Writable({
      write: (chunk, _, done) => {
        if (!this.#muted) process.stderr.write(chunk);
        done();
      },
    });
    // Without a history: the arrow keys would bring a password back, in the clear.
    this.#lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    // What comes in before the next question may be the answer to one whose answer is hidden.
    this.#lines.on("line", () => {
      this.#muted = true;
    });
    // In this mode of the terminal Ctrl-C is a key.
    this.#lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  }

  /** The answer to a question; what is typed is shown. */
  async ask(question: string): Promise<string> {
    this.#prompt(question);
    return this.#next();
  }

  /** The answer to a question; nothing of what is typed is shown. */
  async askHidden(question: string): Promise<string> {
    this.#prompt(question);
    this.#muted = true;
    const answer = await this.#next();
    process.stderr.write("\n");
    return answer;
  }

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  close(): void {
    this.#lines.close();
  }

  #prompt(question: string): void {
    this.#muted = false;
    this.#lines.setPrompt(question);
    this.#lines.prompt();
  }

  async #next(): Promise<string> {
    const { value, done } = await this.#answers.next();
    if (done === true) throw new CommandError("no answer was given");
    return value;
  }
}

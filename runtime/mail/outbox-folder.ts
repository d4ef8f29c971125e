import { randomBytes } from "node:crypto";
import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** `var/kirak/outbox`: what development would have sent, one file a message, for its owner alone. */
export class OutboxFolder {
  readonly #root: string;
  #count = 0;

  /** `root` is the project's folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Writes one file, whole or not at all. Gives its path from the project's folder. Names sort by time. */
  async write(extension: "eml" | "txt", content: Buffer | string): Promise<string> {
    const folder = await this.#prepare();
    const moment = new Date().toISOString().replace(/[-:.]/g, "");
    this.#count++;
    const order = String(this.#count).padStart(6, "0");
    const name = `${moment}-${order}-${randomBytes(4).toString("hex")}.${extension}`;
    const draft = join(folder, `.${name}.draft`);
    await writeFile(draft, content, { mode: 0o600, flag: "wx" });
    await rename(draft, join(folder, name));
    return relative(this.#root, join(folder, name));
  }

  async #prepare(): Promise<string> {
    const home = join(this.#root, "var", "kirak");
    const folder = join(home, "outbox");
    // The folder around it stays open to others: the embedded PostgreSQL may run under another account.
    await mkdir(home, { recursive: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    return folder;
  }
}

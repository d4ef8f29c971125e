import { emailTaken, findUserByEmail, requireStrong } from "../auth/index.ts";
import type { Variables } from "../config/index.ts";
import type { Queryable } from "../database/index.ts";
import { ServiceError } from "../errors/index.ts";
import { canonicalEmail } from "../mail/index.ts";
import { CommandError } from "../process/index.ts";
import { Terminal } from "./terminal.ts";

export interface ApplicantOptions {
  readonly environment: Variables;
  readonly email: string | null;
  /** `auth.password_complexity` */
  readonly complexity: boolean;
}

export interface Identity {
  /** Canonical. */
  readonly email: string;
  readonly password: string;
}

/** Where e-mail and password of a new account come from: the environment, or else whoever sits at the terminal. */
export class AdminCredentials {
  readonly #email: string | undefined;
  readonly #password: string | undefined;
  readonly #complexity: boolean;
  /** Null where nobody is there, or nothing is to be asked. */
  readonly #terminal: Terminal | null;

  /** Throws a CommandError that names what is missing where nobody can be asked. */
  constructor({ environment, email, complexity }: ApplicantOptions) {
    this.#email = email ?? (environment["SERVICE_ADMIN_EMAIL"] || undefined);
    this.#password = environment["SERVICE_ADMIN_PASSWORD"] || undefined;
    this.#complexity = complexity;
    const missing = [
      ...(this.#email === undefined ? ["SERVICE_ADMIN_EMAIL (or --email)"] : []),
      ...(this.#password === undefined ? ["SERVICE_ADMIN_PASSWORD"] : []),
    ];
    if (missing.length > 0 && !Terminal.isThere())
      throw new CommandError(`there is no terminal to ask on: set ${missing.join(" and ")}`);
    this.#terminal = missing.length > 0 ? new Terminal() : null;
  }

  /** Asks for what is missing, again where it will not do. Errors: `EMAIL_ALREADY_EXISTS`. */
  async identify(connection: Queryable): Promise<Identity> {
    const email = await this.#findEmail();
    // Before somebody thinks up a password for nothing.
    if ((await findUserByEmail(connection, email)) !== null) throw emailTaken();
    return { email, password: this.#password ?? (await this.#askPassword()) };
  }

  close(): void {
    this.#terminal?.close();
  }

  async #findEmail(): Promise<string> {
    for (;;) {
      const email = canonicalEmail(this.#email ?? (await this.#asked().ask("E-mail: ")));
      if (email !== null) return email;
      if (this.#email !== undefined) throw new CommandError("the e-mail is no single plain address");
      this.#asked().say("That is no single plain e-mail address.");
    }
  }

  async #askPassword(): Promise<string> {
    for (;;) {
      const password = await this.#asked().askHidden("Password (not shown): ");
      const weakness = this.#weaknessOf(password);
      if (weakness !== null) this.#asked().say(weakness);
      else if ((await this.#asked().askHidden("The same again: ")) === password) return password;
      else this.#asked().say("The two are not the same.");
    }
  }

  #weaknessOf(password: string): string | null {
    try {
      requireStrong(password, "password", this.#complexity);
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      throw error;
    }
  }

  #asked(): Terminal {
    if (this.#terminal === null) throw new Error("nothing was to be asked");
    return this.#terminal;
  }
}

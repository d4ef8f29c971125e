import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { suggestion } from "../../../vocabulary/nearest.ts";
import { type Config, readConfig, type Variables } from "../../core/config/index.ts";
import { createDatabase, type Queryable } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { serviceMigrations } from "../../migrations/built-in/index.ts";
import { pendingMigrations } from "../../migrations/runner/index.ts";
import { guest, isAdministrator, namedRoles } from "../../models/access/index.ts";
import {
  createAccount,
  emailTaken,
  findUserByEmail,
  PasswordQueue,
  PasswordRules,
  type StaffPasswords,
} from "../../modules/auth/index.ts";
import { canonicalEmail } from "../../modules/mail/index.ts";
import type { Service } from "../../server/service.ts";
import {
  type Closers,
  CommandError,
  commandOutput,
  createLog,
  embeddedDatabaseUrl,
  loadEnvironment,
  supervise,
} from "../index.ts";

/** Asks questions on the terminal. Prompts go to standard error: output can be redirected. */
class Terminal {
  #muted = false;
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;

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
    // No history: the arrow keys would show a password in plain text.
    this.#lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    // Input before the next question can be the answer to a hidden question.
    this.#lines.on("line", () => {
      this.#muted = true;
    });
    // In raw mode Ctrl-C is a key, not a signal.
    this.#lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  }

  /** Asks a question with visible input. */
  async ask(question: string): Promise<string> {
    this.#prompt(question);
    return this.#next();
  }

  /** Asks a question with hidden input. */
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

interface CredentialOptions {
  readonly environment: Variables;
  readonly email: string | null;
  readonly names: CreateAdmin["names"];
  readonly rules: PasswordRules;
}

interface Identity {
  /** In canonical form. */
  readonly email: string;
  readonly password: string;
}

/** E-mail and password of a new account, from the environment or from the user at the terminal. */
class AdminCredentials {
  readonly #email: string | undefined;
  readonly #password: string | undefined;
  readonly #names: CreateAdmin["names"];
  readonly #rules: PasswordRules;
  /** Null without a terminal, or if no question is needed. */
  readonly #terminal: Terminal | null;

  /** Throws a CommandError that names the missing values if it cannot ask for them. */
  constructor({ environment, email, names, rules }: CredentialOptions) {
    this.#email = email ?? (environment["SERVICE_ADMIN_EMAIL"] || undefined);
    this.#password = environment["SERVICE_ADMIN_PASSWORD"] || undefined;
    this.#names = names;
    this.#rules = rules;
    const missing = [
      ...(this.#email === undefined ? ["SERVICE_ADMIN_EMAIL (or --email)"] : []),
      ...(this.#password === undefined ? ["SERVICE_ADMIN_PASSWORD"] : []),
    ];
    if (missing.length > 0 && !Terminal.isThere())
      throw new CommandError(
        `cannot ask for missing values without a terminal: set ${missing.join(" and ")}`,
      );
    this.#terminal = missing.length > 0 ? new Terminal() : null;
  }

  /** Asks for missing values, and again after an invalid answer. Errors: `EMAIL_ALREADY_EXISTS`. */
  async identify(connection: Queryable): Promise<Identity> {
    const email = await this.#findEmail();
    // Before the user enters a password.
    if ((await findUserByEmail(connection, email)) !== null) throw emailTaken();
    return { email, password: this.#password ?? (await this.#askPassword(email)) };
  }

  close(): void {
    this.#terminal?.close();
  }

  async #findEmail(): Promise<string> {
    for (;;) {
      const email = canonicalEmail(this.#email ?? (await this.#requireTerminal().ask("E-mail: ")));
      if (email !== null) return email;
      if (this.#email !== undefined) throw new CommandError("the e-mail must be one plain address");
      this.#requireTerminal().say("Enter one plain e-mail address.");
    }
  }

  async #askPassword(email: string): Promise<string> {
    for (;;) {
      const password = await this.#requireTerminal().askHidden("Password (not shown): ");
      const weakness = await this.#weaknessOf(password, email);
      if (weakness !== null) this.#requireTerminal().say(weakness);
      else if ((await this.#requireTerminal().askHidden("Repeat the password: ")) === password)
        return password;
      else this.#requireTerminal().say("The passwords are not the same.");
    }
  }

  async #weaknessOf(password: string, email: string): Promise<string | null> {
    const { first_name: firstName = null, last_name: lastName = null } = this.#names;
    try {
      await this.#rules.require(password, "password", { email, firstName, lastName });
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.message;
      throw error;
    }
  }

  #requireTerminal(): Terminal {
    if (this.#terminal === null) throw new Error("no question is needed");
    return this.#terminal;
  }
}

/** The account for `kirak create-admin`. The command prompts for null values, except for the names. */
export interface CreateAdmin {
  readonly email: string | null;
  readonly role: string;
  readonly names: { readonly first_name?: string; readonly last_name?: string };
}

/** Runs `kirak create-admin` as this process. */
export async function runCreateAdmin(service: Service, root: string, account: CreateAdmin): Promise<never> {
  return supervise(async (closers) => {
    // A process that is stopped early must exit with a failure.
    process.exitCode = 1;
    await createAdmin(service, root, account, closers).catch(rethrow);
    process.exitCode = 0;
  });
}

async function createAdmin(
  service: Service,
  root: string,
  { email, role, names }: CreateAdmin,
  closers: Closers,
): Promise<void> {
  const environment = loadEnvironment(root);
  const config = readConfig({ root, manifestPath: join(root, "models", "manifest.json"), environment });
  const log = createLog("create-admin", "info", commandOutput(config.logFormat));
  const passwords = passwordsOf(config);
  const applicant = new AdminCredentials({ environment, email, names, rules: passwords.rules });
  closers.add(async () => applicant.close());
  const url = config.databaseDirectUrl ?? (await embeddedDatabaseUrl(root, log, closers));
  await requireMigrated(service.migrations, url);
  const database = createDatabase({ url, maxConnections: 1, log });
  closers.add(() => database.close());
  const identity = await applicant.identify(database);
  const user = await createAccount(database, service.accounts, { ...identity, role, ...names }, passwords);
  warnOfRole(service, role, (message) => log.warn(message));
  log.info({ user_id: Number(user.id), role }, `created the account ${user.id} with the role ${role}`);
}

function passwordsOf(config: Config): StaffPasswords {
  const queue = new PasswordQueue(config.auth.bcryptCost);
  return { rules: new PasswordRules(config), hash: (password) => queue.hash(password, null) };
}

/** Only a warning: rules can use the role later. */
function warnOfRole(
  { models, internalModels }: Service,
  role: string,
  warn: (message: string) => void,
): void {
  const named = namedRoles([...models, ...internalModels].map(({ policy }) => policy));
  const known = named.filter((name) => name !== guest.role);
  if (isAdministrator(role) || role === "user" || known.includes(role)) return;
  warn(`no access rule names the role ${role}${suggestion(role, known)}`);
}

async function requireMigrated(folder: URL | null, url: string): Promise<void> {
  const [first, ...rest] = await pendingMigrations({ url, ...(await serviceMigrations(folder)) });
  if (first === undefined) return;
  const more = rest.length === 0 ? "is" : `and ${rest.length} more are`;
  throw new CommandError(`the migration ${first} ${more} pending: run npm run migrate first`);
}

/** Turns an API error into a message for the operator. */
function rethrow(error: unknown): never {
  if (error instanceof ServiceError && error.status < 500) throw new CommandError(error.message);
  throw error;
}

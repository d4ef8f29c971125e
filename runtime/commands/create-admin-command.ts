import { join } from "node:path";
import { suggestion } from "../../vocabulary/nearest.ts";
import { guest, isAdministrator, namedRoles } from "../access/index.ts";
import { createAccount, PasswordQueue, type PasswordRules } from "../auth/index.ts";
import { serviceMigrations } from "../built-in-migrations/index.ts";
import { type Config, readConfig } from "../config/index.ts";
import { createDatabase } from "../database/index.ts";
import { ServiceError } from "../errors/index.ts";
import { pendingMigrations } from "../migrations/index.ts";
import {
  type Closers,
  CommandError,
  commandOutput,
  createLog,
  embedded,
  loadEnvironment,
  supervise,
} from "../process/index.ts";
import type { Service } from "../service.ts";
import { AdminCredentials } from "./admin-credentials.ts";

/** The account that `kirak create-admin` makes. What is null is asked for, but for the names. */
export interface CreateAdmin {
  readonly email: string | null;
  readonly role: string;
  readonly names: { readonly first_name?: string; readonly last_name?: string };
}

/** `kirak create-admin`, as this process. */
export async function runCreateAdmin(service: Service, root: string, account: CreateAdmin): Promise<never> {
  return supervise(async (closers) => {
    // Until it is done: whoever stops it must not take it for done.
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
  const rules = rulesOf(config);
  const applicant = new AdminCredentials({ environment, email, complexity: rules.complexity });
  closers.add(async () => applicant.close());
  const url = config.databaseDirectUrl ?? (await embedded(root, log, closers));
  await requireMigrated(service.migrations, url);
  const database = createDatabase({ url, maxConnections: 1, log });
  closers.add(() => database.close());
  const identity = await applicant.identify(database);
  const user = await createAccount(database, service.accounts, { ...identity, role, ...names }, rules);
  warnOfRole(service, role, (message) => log.warn(message));
  log.info({ user_id: Number(user.id), role }, `made the account ${user.id}, with the role ${role}`);
}

function rulesOf({ auth }: Config): PasswordRules {
  const passwords = new PasswordQueue(auth.bcryptCost);
  return { complexity: auth.passwordComplexity, hash: (password) => passwords.hash(password, null) };
}

/** A mistyped role is no error: rules that name it may come later. */
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

/** What a caller of the API would be told is a message for the operator as well. */
function rethrow(error: unknown): never {
  if (error instanceof ServiceError && error.status < 500) throw new CommandError(error.message);
  throw error;
}

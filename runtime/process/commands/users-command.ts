import { join } from "node:path";
import { connectCache } from "../../core/cache/index.ts";
import { BackgroundTasks } from "../../core/concurrency/index.ts";
import { readConfig } from "../../core/config/index.ts";
import { createDatabase } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { UserOperations } from "../../modules/auth/index.ts";
import { createMailer } from "../../modules/mail/index.ts";
import { createSmsSender } from "../../modules/sms/index.ts";
import type { Service } from "../../server/service.ts";
import { operateUsers } from "../../server/user-operations.ts";
import {
  CommandError,
  createLog,
  embeddedDatabaseUrl,
  loadEnvironment,
  statementTimeoutMs,
  supervise,
  unbufferedLog,
} from "../index.ts";
import { describeUser, describeUsers, type ShownUser } from "./users-output.ts";

/** `who` is an id or an e-mail address. */
export type UsersCommand =
  | {
      readonly command: "list";
      readonly role: string | null;
      readonly search: string | null;
      readonly limit: number | null;
      readonly json: boolean;
    }
  | { readonly command: "show"; readonly who: string; readonly json: boolean }
  | { readonly command: "set-role"; readonly who: string; readonly role: string }
  | { readonly command: "activate" | "deactivate" | "reset-mfa" | "delete"; readonly who: string }
  | { readonly command: "sign-out"; readonly who: string; readonly apiKeys: boolean };

/** Mails and hooks can take a while after the commit. */
const drainMs = 10_000;

/** Runs `kirak users` as this process. */
export async function runUsers(service: Service, root: string, command: UsersCommand): Promise<never> {
  return supervise(async (closers) => {
    // A process that is stopped early must exit with a failure.
    process.exitCode = 1;
    const environment = loadEnvironment(root);
    const config = readConfig({ root, manifestPath: join(root, "models", "manifest.json"), environment });
    // Acts are logged at this level. The result is on standard output, where a log line would break JSON.
    const log = createLog("users", "warn", unbufferedLog(config.logFormat, "users", process.stderr));
    const url = config.databaseDirectUrl ?? (await embeddedDatabaseUrl(root, log, closers));
    const database = createDatabase({ url, maxConnections: 4, statementTimeoutMs, log });
    closers.add(() => database.close());
    const cache = config.redisUrl === null ? null : await connectCache(config.redisUrl, log);
    closers.add(async () => cache?.close());
    const mailer = createMailer(config, log);
    closers.add(async () => mailer?.close());
    const background = new BackgroundTasks(log);
    closers.add(() => background.drain(drainMs));
    const peers = { cache, mailer, sms: createSmsSender(config, log), background, monitoring: null };
    const users = operateUsers(service, { config, database, log, ...peers });
    process.stdout.write(await executeUsersCommand(command, users).catch(rethrow));
    process.exitCode = 0;
  });
}

/** Returns the output of a `users` command. Errors: those of `UserOperations`. */
export async function executeUsersCommand(command: UsersCommand, users: UserOperations): Promise<string> {
  switch (command.command) {
    case "list": {
      const found = await users.list(parametersOf(command));
      return command.json ? inJson(found) : describeUsers(found);
    }
    case "show": {
      const user: ShownUser = await users.show(command.who);
      return command.json ? inJson(user) : describeUser(user);
    }
    case "set-role": {
      const { who, role } = command;
      const isNew = await users.change(who, { role });
      return isNew ? `${who} has the role ${role}\n` : `${who} has the role ${role} already\n`;
    }
    case "activate":
    case "deactivate": {
      const { who } = command;
      const state = command.command === "activate" ? "active" : "inactive";
      const isNew = await users.change(who, { is_active: state === "active" });
      return isNew ? `${who} is ${state}\n` : `${who} is ${state} already\n`;
    }
    case "sign-out": {
      const { ended_sessions: ended, deleted_api_keys: deleted } = await users.signOut(
        command.who,
        command.apiKeys,
      );
      return `${command.who} is signed out: ${ended} sessions ended, ${deleted} API keys deleted\n`;
    }
    case "reset-mfa": {
      const { mfa, passkeys } = await users.resetMfa(command.who);
      const factor = mfa ? "the second factor and " : "";
      return `${command.who} is signed out: ${factor}${passkeys} passkeys removed\n`;
    }
    case "delete":
      await users.delete(command.who);
      return `${command.who} is deleted\n`;
  }
}

function parametersOf({ role, search, limit }: Extract<UsersCommand, { command: "list" }>) {
  return {
    order_by: "user_id",
    ...(role !== null && { role }),
    ...(search !== null && { search_term: search }),
    ...(limit !== null && { limit: String(limit) }),
  };
}

function inJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Turns a refusal into a message for the operator. */
function rethrow(error: unknown): never {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  const { relations } = Object(error.details);
  const named = Array.isArray(relations)
    ? relations.map((relation) => `${Object(relation).model}.${Object(relation).field}`)
    : [];
  throw new CommandError(named.length === 0 ? error.message : `${error.message} (${named.join(", ")})`);
}

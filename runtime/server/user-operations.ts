import type { Logger } from "pino";
import type { Cache } from "../core/cache/index.ts";
import type { BackgroundTasks } from "../core/concurrency/index.ts";
import type { Config } from "../core/config/index.ts";
import type { Database } from "../core/database/index.ts";
import { PlanCache } from "../data/sql/index.ts";
import { PasswordQueue, UserOperations } from "../modules/auth/index.ts";
import { type Mailer, mailTemplatesOf } from "../modules/mail/index.ts";
import type { Monitoring } from "../modules/monitoring/index.ts";
import { type CounterStore, PostgresWindow, RedisWindow, rateLimits } from "../modules/rate-limit/index.ts";
import type { SmsSender } from "../modules/sms/index.ts";
import { accountParts } from "./account-parts.ts";
import { appModules, cursorKeys } from "./app-modules.ts";
import { lazyStorageOf } from "./lazy-storage.ts";
import type { Service } from "./service.ts";

export interface OperatorParts {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly cache: Cache | null;
  readonly mailer: Mailer | null;
  readonly sms: SmsSender | null;
  readonly background: BackgroundTasks;
  readonly monitoring: Monitoring | null;
}

/** The acts on accounts for the commands of a service. */
export function operateUsers(service: Service, parts: OperatorParts): UserOperations {
  const { config, database, log, cache } = parts;
  const passwords = new PasswordQueue(config.auth.bcryptCost);
  const hashPassword = (password: string, share: string) => passwords.hash(password, share);
  const templates = mailTemplatesOf(config);
  const files = lazyStorageOf(config, log);
  const modules = appModules(service, { ...parts, files, templates, hashPassword });
  const store: CounterStore =
    cache === null
      ? new PostgresWindow({ database, counting: database, log, now: null })
      : new RedisWindow(cache.client, null);
  const models = new Map(
    [...service.models, ...service.internalModels].map(({ model }) => [model.key, model]),
  );
  const crud = {
    ...{ database, log, models, plans: new PlanCache(), cursorKeys: cursorKeys(config) },
    ...{ bulkLimit: config.server.bulkLimit, hashPassword, modules },
  };
  const limits = rateLimits(config, store, log);
  const now = Date.now;
  return new UserOperations({ ...accountParts(service), ...parts, limits, modules, crud, templates, now });
}

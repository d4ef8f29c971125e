import type { Logger } from "pino";
import type { Config, SecretKeys } from "../core/config/index.ts";
import type { Database } from "../core/database/index.ts";
import { makeAppDatabase } from "../data/app-db/index.ts";
import type { CrudServices } from "../data/operations/index.ts";
import { PlanCache } from "../data/sql/index.ts";
import { type AppModules, absentModules } from "../hooks/context/index.ts";
import { derivedKeys } from "../modules/auth/index.ts";
import { enqueueIn, jobsForCode, registerJobs } from "../modules/jobs/index.ts";
import type { MailTemplates } from "../modules/mail/index.ts";
import {
  type EnqueueMessage,
  type MessageProviders,
  mailForCode,
  smsForCode,
} from "../modules/messages/index.ts";
import type { Monitoring } from "../modules/monitoring/index.ts";
import type { Storage } from "../modules/storage/index.ts";
import type { Service } from "./service.ts";

interface AppParts extends MessageProviders {
  readonly config: Config;
  readonly log: Logger;
  /** Null if the module is off. */
  readonly files: Storage | null;
  /** Null if the module is off. */
  readonly monitoring: Monitoring | null;
  readonly database: Database;
  readonly hashPassword: CrudServices["hashPassword"];
  readonly templates: MailTemplates;
}

/** The modules for app code, in servers and workers. Throws if jobs are invalid. */
export function appModules(service: Service, parts: AppParts): AppModules {
  const { config, log, files, monitoring, database, hashPassword } = parts;
  const entries = [...service.models, ...service.internalModels];
  const modules: AppModules = {
    storage: files?.forHooks ?? absentModules.storage,
    monitoring: monitoring?.forHooks ?? absentModules.monitoring,
    errors: service.errors,
    jobs: jobsForCode(registerJobs(service.jobs), database),
    ...messageModules(service, parts),
    kysely: service.kysely ?? null,
    // Deferred, because its hooks get these modules.
    database: (scope) => appDatabase(scope),
  };
  const models = new Map(entries.map(({ model }) => [model.key, model]));
  const services = {
    database,
    log,
    models,
    plans: new PlanCache(),
    cursorKeys: cursorKeys(config),
    bulkLimit: config.server.bulkLimit,
    hashPassword,
    modules,
  };
  const appDatabase = makeAppDatabase({ services, entries });
  return modules;
}

/** The keys of the cursors of pages. */
export function cursorKeys({ secrets }: Config): SecretKeys<Buffer> {
  return derivedKeys(secrets.jwt, "page cursors");
}

const noQueue =
  "npm run generate found no code that sends mails or text messages: run it again. If a package sends them, write `mail` or `sms` in the hook or route itself (docs/jobs.md#who-runs-them)";

function messageModules(
  { usesQueue }: Service,
  { config, database, templates, mailer, sms }: AppParts,
): Pick<AppModules, "mail" | "sms"> {
  const { placeholderDomain } = config.social;
  const enqueue: EnqueueMessage = async (scope, job) => {
    if (!usesQueue) throw new Error(noQueue);
    return enqueueIn(scope, database, job);
  };
  const { production } = config;
  return {
    mail: mailForCode({ production, hasProvider: mailer !== null, templates, placeholderDomain, enqueue }),
    sms: smsForCode({ hasProvider: sms !== null, enqueue }),
  };
}

import { join } from "node:path";
import type { Express } from "express";
import { type Config, readConfig } from "#runtime/core/config/index";
import { defineUsersPolicy } from "#runtime/data/users/index";
import { createHttpServer, createServer, defineService } from "#runtime/index";
import type { PolicyLiteral } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import { listen } from "#runtime/process/http-lifecycle";
import { afterFile } from "../../support/after-file.ts";
import { mounted, policyOf, validatorsOf } from "../../support/model-service.ts";
import { type Reply, type Sent, sendRequest } from "../../support/request.ts";
import { jwtSecret, tokenOf } from "../../support/service-token.ts";
import { silent } from "../../support/silent-log.ts";
import type { Caller } from "./judge.ts";
import type { RuleWorld } from "./world.ts";

/** Rules of the models that are not closed. */
export type WorldRules = Readonly<Record<string, Partial<PolicyLiteral<Model>>>>;

/** The service over a world, whose rules can be exchanged. */
export interface RuleService {
  readonly setRules: (rules: WorldRules) => void;
  readonly send: (sent: Sent, caller: Caller) => Promise<Reply>;
}

export async function ruleService(world: RuleWorld): Promise<RuleService> {
  const { database } = world;
  const config = ruleConfig();
  const made = (rules: WorldRules): Express =>
    createServer(declared(world, rules), { config, database, log: silent });
  let app = made({});
  const server = createHttpServer(app);
  server.removeAllListeners("request");
  server.on("request", (request, response) => app(request, response));
  const origin = await listen(server, 0, "127.0.0.1");
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    setRules(rules) {
      app = made(rules);
    },
    send: (sent, caller) => sendRequest(origin, { ...sent, headers: credential(caller) }),
  };
}

function credential({ user_id, role, email }: Caller): Record<string, string> {
  if (user_id === null) return {};
  return { authorization: `Bearer ${tokenOf({ role, sub: user_id, email: email ?? "" })}` };
}

function ruleConfig(): Config {
  const root = join(import.meta.dirname, "..", "..", "http", "fixture");
  const environment = { SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret, SERVICE_DATABASE_URL: "postgres://unused" };
  const config = readConfig({ root, manifestPath: join(root, "manifest.json"), environment });
  return { ...config, rateLimit: { ...config.rateLimit, enabled: false } };
}

function declared({ models }: RuleWorld, rules: WorldRules) {
  const users = models.get("users");
  if (users === undefined) throw new Error("there are no users");
  return defineService({
    name: "rules",
    models: [...models.values()]
      .filter(({ key }) => key !== "users")
      .map((model) => mountedWith(model, rules)),
    internalModels: [],
    accounts: { users, policy: defineUsersPolicy({ fields: {} }) },
    graphql: { hooks: {} },
    migrations: new URL(".", import.meta.url),
  });
}

function mountedWith(model: Model, rules: WorldRules) {
  const policy = policyOf(rules[model.key] ?? {});
  return mounted(model, policy, {}, validatorsOf(model, ["code"]));
}

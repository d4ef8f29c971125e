/** A service with the rules of a tracker, as the generator makes them. */
import { createSecretKey } from "node:crypto";
import { join } from "node:path";
import pino from "pino";
import { crud, guard, input, modelRoutes, route } from "#runtime/api/rest/index";
import { createDatabase, createHttpServer, createServer, defineService, readConfig } from "#runtime/index";
import { databaseUrl, serve } from "./serve.ts";
import { closedPolicy, memberships, organisations, projects, taskPolicy, tasks } from "./tracker-models.ts";

const validators = { create: { properties: {} }, update: { properties: {} }, upsert: { properties: {} } };
const log = pino({ level: "warn" });
const config = readConfig({
  root: process.cwd(),
  manifestPath: join(process.cwd(), "models", "manifest.json"),
  environment: process.env,
});
const jwt = createSecretKey(Buffer.from(process.env["BENCHMARK_SECRET"] ?? ""));
const routes = modelRoutes({ model: tasks, policy: taskPolicy, validators }, [
  route.get("/fetch", guard(taskPolicy.fetch), input.list, crud.fetch),
  route.get("/count", guard(taskPolicy.count), input.filter, crud.count),
]);
serve(
  createHttpServer(
    createServer(
      defineService({
        name: "tracker",
        models: [routes],
        internalModels: [memberships, organisations, projects].map((model) => ({
          model,
          policy: closedPolicy,
          validators,
        })),
        accounts: {},
        graphql: { hooks: {} },
        migrations: new URL("../../generated/migrations/", import.meta.url),
      }),
      {
        config: {
          ...config,
          storage: null,
          monitoring: null,
          secrets: { ...config.secrets, jwt: [jwt] },
          rateLimit: { ...config.rateLimit, enabled: false },
        },
        database: createDatabase({ url: databaseUrl(), maxConnections: 10, log }),
        log,
      },
    ),
  ),
);

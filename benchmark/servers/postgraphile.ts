/** PostGraphile with the settings for production, and without accounts: it checks no token. */
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { databaseUrl, serve } from "./serve.ts";

/** The part of its API that is used here; `npm ci` does not bring it. */
interface Instance {
  createServ(adaptor: unknown): { addTo(server: Server): unknown };
  getSchema(): Promise<unknown>;
}
interface Modules {
  readonly main: { postgraphile(preset: object): Instance };
  readonly amber: { readonly PostGraphileAmberPreset: object };
  readonly adaptor: { makePgService(options: object): object };
  readonly node: { readonly grafserv: unknown };
  readonly aggregates: { readonly PgAggregatesPreset: object };
}

const load = createRequire(join(process.env["BENCHMARK_POSTGRAPHILE"] ?? "", "package.json"));
const { main, amber, adaptor, node, aggregates }: Modules = {
  main: load("postgraphile"),
  amber: load("postgraphile/presets/amber"),
  adaptor: load("postgraphile/adaptors/pg"),
  node: load("postgraphile/grafserv/node"),
  aggregates: load("@graphile/pg-aggregates"),
};

const instance = main.postgraphile({
  extends: [amber.PostGraphileAmberPreset, aggregates.PgAggregatesPreset],
  // It would filter by columns with an index alone.
  disablePlugins: ["PgIndexBehaviorsPlugin"],
  pgServices: [
    adaptor.makePgService({
      connectionString: databaseUrl(),
      poolConfig: { max: 10 },
      schemas: ["public"],
      pubsub: false,
    }),
  ],
  // Lists cost it less than connections.
  schema: { defaultBehavior: "connection resource:connection list resource:list" },
  grafserv: { graphiql: false, websockets: false, watch: false },
  grafast: { explain: false },
});

const server = createServer();
await instance.createServ(node.grafserv).addTo(server);
await instance.getSchema();
serve(server);

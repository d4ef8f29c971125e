import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "./build.ts";
import { startDatabase } from "./database.ts";
import { median } from "./measure.ts";
import { buildBlank, emptyDatabase, emptyFolder, image } from "./memory-apps.ts";
import { startRedis } from "./redis.ts";
import { megabytes, type StartedProgram, startProgram } from "./started-program.ts";

/** What a built app holds, resident, in MB: idle after its start, and idle again after requests. Medians of several starts. */
export interface Held {
  readonly name: string;
  readonly idle: number;
  readonly afterRequests: number;
}

/** One of the apps that are started. */
interface Case {
  readonly name: string;
  readonly app: "blank" | "bookshop";
  /** In place of what its manifest says. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The GraphQL query that it is sent; else it is asked for rows. */
  readonly query?: string;
}

const alone = { modules: [], jobs: { concurrency: 0 } };
const google = {
  social_providers: ["google-oauth2"],
  social: { "google-oauth2": { client_id: "1234.apps.googleusercontent.com" } },
};

function casesWith(redisUrl: string): readonly Case[] {
  return [
    { name: "blank", app: "blank" },
    { name: "book shop, no module", app: "bookshop", manifest: alone },
    { name: "with jobs", app: "bookshop", manifest: { modules: [] } },
    { name: "with storage", app: "bookshop", manifest: { ...alone, modules: ["storage"] } },
    { name: "with monitoring", app: "bookshop", manifest: { ...alone, modules: ["monitoring"] } },
    {
      name: "with Redis",
      app: "bookshop",
      manifest: alone,
      environment: { SERVICE_REDIS_URL: redisUrl },
    },
    { name: "with a social provider", app: "bookshop", manifest: { ...alone, auth: google } },
    {
      name: "with GraphQL in use",
      app: "bookshop",
      manifest: alone,
      query: "{ authors(limit: 10) { id name } }",
    },
  ];
}

const environment = {
  NODE_ENV: "production",
  SERVICE_SET_BASE_URL: "http://localhost:3000",
  SERVICE_SET_RATE_LIMIT__ENABLED: "false",
  SERVICE_AUTH_JWT_SECRET_KEY: "x".repeat(64),
  SERVICE_AUTH_VERIFICATION_KEY: "y".repeat(64),
  SERVICE_AUTH_API_KEY_SECRET: "z".repeat(64),
  SERVICE_AUTH_ENCRYPTION_KEY: "w".repeat(64),
  SERVICE_MONITORING_INGESTION_KEY: "v".repeat(64),
  SOCIAL_AUTH_GOOGLE_OAUTH2_SECRET: "u".repeat(64),
};
const requests = 300;

/** Starts the built apps by turns. Null where there is no `/proc` to read the figures from. */
export async function heldMemory(root: string, rounds: number, idleSeconds: number): Promise<Held[] | null> {
  if (!existsSync("/proc/self/status")) return null;
  const redis = await startRedis();
  const database = await startDatabase(root);
  const empty = await emptyDatabase(database.url);
  try {
    const home = await emptyFolder(join(root, "var", "benchmark", "memory"));
    await buildApp(root);
    const blank = { built: await buildBlank(root, home), url: empty.url };
    const apps = { blank, bookshop: { built: root, url: database.url } };
    const started = casesWith(redis.url).map((one, index) => {
      const { built, url } = apps[one.app];
      const folder = image(root, built, join(home, `image-${index}`), one.manifest ?? {});
      const program = { file: join(root, "lib/cli/kirak.js"), words: ["start"], folder };
      const variables = { ...environment, SERVICE_DATABASE_URL: url, ...one.environment };
      return { one, figures: [] as Figures[], start: () => startProgram(program, variables) };
    });
    for (let round = 0; round < rounds; round++)
      for (const { one, figures, start } of started)
        figures.push(await figuresOf(one, await start(), idleSeconds));
    return started.map(({ one: { name }, figures }) => ({
      name,
      idle: median(figures.map(({ idle }) => idle)),
      afterRequests: median(figures.map(({ afterRequests }) => afterRequests)),
    }));
  } finally {
    await empty.drop();
    await database.stop();
    await redis.stop();
  }
}

type Figures = Omit<Held, "name">;

async function figuresOf(
  { app, query }: Case,
  { child, url, end }: StartedProgram,
  idleSeconds: number,
): Promise<Figures> {
  try {
    await sleep(idleSeconds * 1000);
    const idle = megabytes(child, "VmRSS");
    for (let sent = 0; sent < requests; sent++) {
      const path = app === "blank" ? "/notes/fetch" : "/authors/fetch?limit=10";
      const post = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      };
      const response = await (query === undefined ? fetch(`${url}${path}`) : fetch(`${url}/graphql`, post));
      if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
      await response.arrayBuffer();
    }
    await sleep(idleSeconds * 1000);
    return { idle, afterRequests: megabytes(child, "VmRSS") };
  } finally {
    await end();
  }
}

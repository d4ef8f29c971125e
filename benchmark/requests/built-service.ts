import { join } from "node:path";
import { buildApp } from "../build.ts";
import type { RunningServer } from "../measure.ts";
import { emptyFolder, image } from "../memory-apps.ts";
import { startProgram } from "../started-program.ts";

export interface BuiltOptions {
  readonly root: string;
  /** Of the database. */
  readonly url: string;
  /** What tokens are signed with. */
  readonly secret: string;
  readonly logs: boolean;
}

/** The book shop as a deployment has it: built, started by `kirak start`, with monitoring of a twentieth of the steps and without limits. */
export async function startBuiltService({ root, url, secret, logs }: BuiltOptions): Promise<RunningServer> {
  await buildApp(root);
  const folder = join(await emptyFolder(join(root, "var", "benchmark", "built")), "app");
  image(root, root, folder, {
    modules: ["monitoring"],
    monitoring: { sample_rate: 0.05 },
    jobs: { concurrency: 0 },
    server: { log_level: logs ? "info" : "warn" },
  });
  const program = { file: join(root, "lib/cli/kirak.js"), words: ["start"], folder };
  const {
    child,
    url: address,
    ended,
    end,
  } = await startProgram(program, {
    NODE_ENV: "production",
    SERVICE_DATABASE_URL: url,
    SERVICE_SET_RATE_LIMIT__ENABLED: "false",
    SERVICE_AUTH_JWT_SECRET_KEY: secret,
    SERVICE_AUTH_VERIFICATION_KEY: "y".repeat(64),
    SERVICE_AUTH_API_KEY_SECRET: "z".repeat(64),
    SERVICE_AUTH_ENCRYPTION_KEY: "w".repeat(64),
    SERVICE_MONITORING_INGESTION_KEY: "v".repeat(64),
  });
  const port = Number(new URL(address ?? "").port);
  return { name: "kirak", port, process: child, ended, stop: end };
}

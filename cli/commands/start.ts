import { defineCommand } from "../define-command.ts";

/** `kirak start`. */
export const command = defineCommand({
  about:
    "Applies pending migrations, and serves until it is told to stop. Runs the build in dist/ if it was made from these sources, else the sources.",
  flags: {},
  examples: [["", "serve on http://localhost:3000; without SERVICE_DATABASE_URL on an embedded PostgreSQL"]],
  exitCodes: { 0: "it was told to stop", 1: "it cannot start", 2: "a flag that it does not know" },
  more: "PORT and HOST say where it listens, NODE_ENV=production that this is no development. Settings stand in models/manifest.json, and in variables of the environment or .env: docs/manifest.md. SIGTERM lets requests end.",
  read: () => null,
  async run(_, root) {
    await serve(root);
    return undefined;
  },
});

/** Words to read are rare, and what reads them is loaded for them alone. */
export async function atOnce(words: readonly string[], root: string): Promise<boolean> {
  if (words.length > 0) return false;
  await serve(root);
  return true;
}

async function serve(root: string): Promise<void> {
  const { loadService } = await import("../app/load-service.ts");
  const service = await loadService(root);
  const { startService } = await import("#runtime/process/start");
  await startService(service, { root });
}

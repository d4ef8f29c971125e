import { defineCommand } from "../define-command.ts";

/** `kirak start`. */
export const command = defineCommand({
  about:
    "Applies pending migrations, then serves until SIGINT or SIGTERM. Runs the build in dist/ if it is up to date, otherwise the sources.",
  flags: {},
  examples: [
    ["", "serve on http://localhost:3000, with an embedded PostgreSQL if SERVICE_DATABASE_URL is not set"],
  ],
  exitCodes: { 0: "stopped by SIGINT or SIGTERM", 1: "the server cannot start", 2: "an unknown flag" },
  more: "PORT and HOST set the address; NODE_ENV=production turns development features off. Settings are in models/manifest.json and in environment variables or .env: docs/manifest.md. On SIGTERM, running requests finish first.",
  read: () => null,
  async run(_, root) {
    await serve(root);
    return undefined;
  },
});

/** Arguments are rare, so the parser is loaded only for them. */
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

import { existsSync } from "node:fs";
import { extname } from "node:path";
import { loadEnvironment } from "../runtime/process/index.ts";
import type { Service } from "../runtime/service.ts";

/**
 * The service that `npm run generate` made. `.env` is read before it, since a hook may read the environment while it is
 * loaded. Without one the process ends, and says so.
 */
export async function loadService(root: string): Promise<Service> {
  loadEnvironment(root);
  if (!existsSync(new URL(`../generated/index${extname(import.meta.url)}`, import.meta.url))) {
    process.stderr.write("generated/ is missing: run npm run generate\n");
    process.exit(1);
  }
  const { service } = await import("../generated/index.ts");
  return service;
}

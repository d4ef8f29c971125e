import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandError, loadEnvironment } from "../../runtime/process/index.ts";
import type { Service } from "../../runtime/service.ts";
import { appModule } from "./app-module.ts";

const entry = "generated/index";

/**
 * The service that `npm run generate` made. `.env` is read before it, since a hook may read the environment while it is
 * loaded. Throws a CommandError where there is none.
 */
export async function loadService(root: string): Promise<Service> {
  loadEnvironment(root);
  if (!existsSync(join(root, `${entry}.ts`)) && !existsSync(join(root, "dist", `${entry}.js`)))
    throw new CommandError("generated/ is missing: run npm run generate");
  const { service }: { service: Service } = await import(appModule(root, `${entry}.ts`).href);
  return service;
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, codeFormatRefusal, loadEnvironment } from "#runtime/process/index";
import type { Service } from "#runtime/server/service";
import { lockFile } from "#vocabulary/models-folder";
import { appModule } from "./app-module.ts";

const entry = "generated/index";

/**
 * The generated service of an app. Reads `.env` first, because hooks can read the environment while they are
 * loaded. Throws a CommandError if it does not exist, or if this Kirak cannot run it.
 */
export async function loadService(root: string): Promise<Service> {
  loadEnvironment(root);
  if (!existsSync(join(root, `${entry}.ts`)) && !existsSync(join(root, "dist", `${entry}.js`)))
    throw new CommandError("generated/ is missing: run npm run generate");
  const module = await appModule(root, `${entry}.ts`);
  const refusal = codeFormatRefusal(textBeside(module, lockFile));
  if (refusal !== null) throw new CommandError(refusal);
  const { service }: { service: Service } = await import(module.href);
  return service;
}

function textBeside(module: URL, name: string): string | null {
  const file = new URL(name, module);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

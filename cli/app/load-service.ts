import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CommandError, codeFormatRefusal, loadEnvironment } from "#runtime/process/index";
import type { Service } from "#runtime/server/service";
import { lockFile } from "#vocabulary/models-folder";
import { missingPackages } from "#vocabulary/optional-packages";
import { appModule } from "./app-module.ts";

const entry = "generated/index";

/**
 * The generated service of an app. Reads `.env` first, because hooks can read the environment while they are
 * loaded. Throws a CommandError if it does not exist, if this Kirak cannot run it, or if a package is missing.
 */
export async function loadService(root: string): Promise<Service> {
  loadEnvironment(root);
  if (!existsSync(join(root, `${entry}.ts`)) && !existsSync(join(root, "dist", `${entry}.js`)))
    throw new CommandError("generated/ is missing: run npm run generate");
  const module = await appModule(root, `${entry}.ts`);
  const refusal = codeFormatRefusal(textBeside(module, lockFile));
  if (refusal !== null) throw new CommandError(refusal);
  const { service }: { service: Service } = await import(module.href).catch((error: unknown) => {
    throw missingPackageError(error, root) ?? error;
  });
  return service;
}

/** Generated code imports `kysely` before the service checks its packages. Null for other errors. */
function missingPackageError(error: unknown, root: string): CommandError | null {
  const manifest = join(root, "models", "manifest.json");
  if (Object(error).code !== "ERR_MODULE_NOT_FOUND" || !existsSync(manifest)) return null;
  const { resolve } = createRequire(import.meta.url);
  try {
    const missing = missingPackages(JSON.parse(readFileSync(manifest, "utf8")), resolve);
    return missing.length === 0 ? null : new CommandError(missing.join("\n"));
  } catch {
    return null;
  }
}

function textBeside(module: URL, name: string): string | null {
  const file = new URL(name, module);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

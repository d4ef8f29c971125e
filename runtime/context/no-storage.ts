import type { StorageForHooks } from "./storage-context.ts";

/** Storage in the hooks of a service whose module is off: what it takes to switch it on is for the log. */
export const noStorage: StorageForHooks = () => ({ put: refuse, url: refuse, remove: refuse });

async function refuse(): Promise<never> {
  throw new Error(
    'storage is off: set "modules": ["storage"] in models/manifest.json, with a section "storage" (docs/storage.md)',
  );
}

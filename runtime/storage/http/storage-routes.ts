import type { StorageRoute } from "./storage-route.ts";

/** Routes of files, by their paths below the slug (contract: "Storage"). */
export const storageRoutes: ReadonlyMap<string, StorageRoute> = new Map<string, StorageRoute>([]);

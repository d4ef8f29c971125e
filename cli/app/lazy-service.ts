import type { Service } from "#runtime/server/service";

/** Loads the service of an app. */
export type LoadService = (root: string) => Promise<Service>;

/** Loads the loader lazily: help needs no service. */
export const loadServiceLazily: LoadService = async (root) => {
  const { loadService } = await import("./load-service.ts");
  return loadService(root);
};

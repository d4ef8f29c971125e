import type { Service } from "#runtime/server/service";

/** Gives the service of an app. */
export type LoadService = (root: string) => Promise<Service>;

/** What loads it is loaded with the first: help needs no service. */
export const loadLater: LoadService = async (root) => {
  const { loadService } = await import("./load-service.ts");
  return loadService(root);
};

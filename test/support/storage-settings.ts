import type { StorageSettings } from "#runtime/config/index";

/** Settings of a storage that has the least of everything: a test says what it is about. */
export const leastStorageSettings: StorageSettings = {
  store: { provider: "local", root: "/nowhere" },
  slug: "storage",
  maxFileSizeBytes: 1,
  allowedMediaTypes: null,
  urlTtlSeconds: 1,
  publicPrefixes: [],
  publicBaseUrl: null,
  scope: "shared",
  thumbnails: [],
  maxPixels: 1,
  limits: {},
};

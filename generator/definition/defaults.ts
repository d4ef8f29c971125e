import { stringLength } from "../../vocabulary/fields/field-schema.ts";

/** Defaults of models and manifest, from the JSON Schemas. */
export const defaults = {
  serviceName: "service",
  authPrefix: "/auth",
  docsVersion: "1.0.0",
  storageSlug: "storage",
  storageProvider: "local",
  /** Of requests without a limit of their own. */
  limit: { maxRequests: 100, windowSeconds: 60 },
  /** Rows that a page of a list may have. */
  maxLimit: 1000,
  /** Digits of a decimal that does not say how many, which is an error. */
  precision: 1_000,
  /** Characters of a string. */
  stringLength,
} as const;

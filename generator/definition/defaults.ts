import { stringLength } from "../../vocabulary/fields/field-schema.ts";

/** Defaults of models and manifest, from the JSON Schemas. */
export const defaults = {
  serviceName: "service",
  authPrefix: "/auth",
  docsVersion: "1.0.0",
  storageSlug: "storage",
  storageProvider: "local",
  /** For requests without another limit. */
  limit: { maxRequests: 100, windowSeconds: 60 },
  /** The maximum number of rows of a page. */
  maxLimit: 1000,
  /** Digits of a decimal without a precision, which is an error. */
  precision: 1_000,
  /** Characters of a string. */
  stringLength,
} as const;

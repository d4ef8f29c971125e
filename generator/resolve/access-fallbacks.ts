/**
 * What has no entry of its own in `access` uses the one of another operation: `count` and `exists` that of `fetch`, an upsert
 * those of `create` and `update` (decisions, part 4). Any other operation without an entry is open to nobody.
 */
export const accessFallbacks = {
  count: "fetch",
  exists: "fetch",
  "upsert:insert": "create",
  "upsert:update": "update",
} as const;

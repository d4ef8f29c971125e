// What it has no effect on.
export const fills = {
  before_create: ["slgu", "slug", "language", "note", "status", "owner_id", "pages", "created_at"],
  before_upsrt: ["slug"],
  before_update: ["slug"],
} as const;

export const before_create = () => {};
export const before_update = () => {};

export const fills = { before_create: ["slug"], before_upsert: [] } as const;
export const before_create = () => {};

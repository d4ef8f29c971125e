export const fills = { before_create: ["name"] } as const;
export const before_create = () => {};

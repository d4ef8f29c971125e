const named = { before_create: ["slug"] } as const;

export { named as fills };
export const before_create = () => {};

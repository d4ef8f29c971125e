export const fills = {} as const;
export const before_create = () => {};

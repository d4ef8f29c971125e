export const before_create = () => {};

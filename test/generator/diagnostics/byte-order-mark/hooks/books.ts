export const before_create = () => undefined;

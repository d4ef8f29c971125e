export const before_fetch = () => {};

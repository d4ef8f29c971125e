export const before_graphqll = () => {};

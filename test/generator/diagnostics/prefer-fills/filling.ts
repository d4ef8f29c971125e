export const fill = () => {};

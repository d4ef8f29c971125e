export const after_fetch = () => {};

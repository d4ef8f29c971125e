export const after_login = () => {};

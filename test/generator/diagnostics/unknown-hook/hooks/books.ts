export const before_craete = () => {};
export const after_fetch = () => {};
export const before_count = () => {};
export function after_login() {}
export const shelves = ["a", "b"];

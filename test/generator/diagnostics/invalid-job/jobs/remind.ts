export const payload = {};

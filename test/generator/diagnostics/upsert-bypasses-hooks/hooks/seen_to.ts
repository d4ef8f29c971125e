export const before_create = () => {};
export const before_upsert = before_create;

const fields = ["slug"];

export const fills = { before_create: fields };
export const before_create = () => {};

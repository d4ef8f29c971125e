/* No constant of the very words: TypeScript would see texts of any kind. */
export const fills = { before_create: ["slug"] };
export const before_create = () => {};

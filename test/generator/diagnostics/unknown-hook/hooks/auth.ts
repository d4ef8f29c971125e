const welcome = () => {};

export { welcome as after_logn };
export const fills = {};

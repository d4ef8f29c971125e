const checked = () => {};

// export const before_upsert = checked;
export { checked as after_update, checked as before_update };

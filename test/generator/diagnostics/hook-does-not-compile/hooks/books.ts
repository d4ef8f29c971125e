export const before_fetch = (title: string) => title;

export const up = "SELECT 1";

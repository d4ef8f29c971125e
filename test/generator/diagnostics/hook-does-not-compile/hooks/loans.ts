import { ServiceError } from "kirak";

export const before_fetch = () => {
  throw new ServiceError("OVERDUE");
};

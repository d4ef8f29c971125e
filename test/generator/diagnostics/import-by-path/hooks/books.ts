// import { ServiceError } from "../../runtime/errors/index.ts";
import { ServiceError } from "../../runtime/errors/index.ts";
import { refuse } from "../refuse.ts";

export const before_create = () => {
  if (refuse) throw new ServiceError("NOT_FOUND");
};

import { ServiceError } from "../../errors/index.ts";

/** 404 for a user who does not exist, or not any more. */
export function noSuchUser(): ServiceError {
  return new ServiceError("NOT_FOUND", "This user does not exist.");
}

/** 404 for a caller whose row is gone. */
export function noSuchCaller(): ServiceError {
  return new ServiceError("NOT_FOUND", "The user of this token does not exist any more.");
}

/** 409 for an address that has an account already. */
export function emailTaken(): ServiceError {
  return new ServiceError("EMAIL_ALREADY_EXISTS", undefined, { field: "email" });
}

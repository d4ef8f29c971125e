import { ServiceError } from "../../../../../core/errors/index.ts";
import type { Passkeys } from "../../../passkeys/passkeys.ts";
import type { AccountServices } from "../../account-services.ts";

/** The passkeys of a service. Without them their routes do not exist. */
export function passkeysOf({ passkeys }: Pick<AccountServices, "passkeys">): Passkeys {
  if (passkeys === null) throw new ServiceError("NOT_FOUND", "There is no such route.");
  return passkeys;
}

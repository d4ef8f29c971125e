// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import { model as auditLog } from "./models/audit_log/model.ts";
import { policy as auditLogPolicy } from "./models/audit_log/policy.ts";
import { validators as auditLogValidators } from "./models/audit_log/validators.ts";
import { routes as documents } from "./models/documents/routes.ts";

/** What `npm start` serves. */
export const service = defineService({
  name: "internal",
  models: [documents],
  internalModels: [{ model: auditLog, policy: auditLogPolicy, validators: auditLogValidators }],
  accounts: {},
  graphql: { hooks: {} },
  migrations: new URL("./migrations/", import.meta.url),
});

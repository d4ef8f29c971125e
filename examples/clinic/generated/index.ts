// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineService } from "kirak";
import cancelUnconfirmedJob from "../models/jobs/cancel-unconfirmed.ts";
import remindJob from "../models/jobs/remind.ts";
import slotsRoutes from "../models/routes/slots.ts";
import { routes as appointments } from "./models/appointments/routes.ts";
import { routes as approvals } from "./models/approvals/routes.ts";
import { routes as doctors } from "./models/doctors/routes.ts";
import { routes as patients } from "./models/patients/routes.ts";
import { routes as practices } from "./models/practices/routes.ts";
import { routes as records } from "./models/records/routes.ts";
import { routes as staff } from "./models/staff/routes.ts";
import { model as users } from "./models/users/model.ts";
import { policy as usersPolicy } from "./models/users/policy.ts";
import { validators as usersValidators } from "./models/users/validators.ts";

/** The service, which `npm start` runs. */
export const service = defineService({
  name: "clinic",
  models: [practices, staff, doctors, patients, appointments, records, approvals],
  internalModels: [],
  accounts: { users, policy: usersPolicy, validators: usersValidators },
  graphql: { hooks: {} },
  routes: [slotsRoutes],
  errors: {
    SLOT_TAKEN: { status: 409, description: "The doctor sees somebody else at that time." },
  },
  jobs: {
    "cancel-unconfirmed": cancelUnconfirmedJob,
    remind: remindJob,
  },
  mails: ["to-read"],
  migrations: new URL("./migrations/", import.meta.url),
  folder: new URL("./", import.meta.url),
});

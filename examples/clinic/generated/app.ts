// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { MailValue } from "kirak";
import type cancelUnconfirmedJob from "../models/jobs/cancel-unconfirmed.ts";
import type remindJob from "../models/jobs/remind.ts";
import type { AppointmentsTypes } from "./models/appointments/model.ts";
import type { ApprovalsTypes } from "./models/approvals/model.ts";
import type { DoctorsTypes } from "./models/doctors/model.ts";
import type { PatientsTypes } from "./models/patients/model.ts";
import type { PracticesTypes } from "./models/practices/model.ts";
import type { RecordsTypes } from "./models/records/model.ts";
import type { StaffTypes } from "./models/staff/model.ts";
import type { UsersTypes } from "./models/users/model.ts";

/** Names of this app's parts, which types of `kirak` use, such as `context.db`. */
declare module "kirak" {
  interface Register {
    models: {
      practices: PracticesTypes;
      staff: StaffTypes;
      doctors: DoctorsTypes;
      patients: PatientsTypes;
      appointments: AppointmentsTypes;
      records: RecordsTypes;
      approvals: ApprovalsTypes;
      users: UsersTypes;
    };
    errors: "SLOT_TAKEN";
    jobs: {
      "cancel-unconfirmed": typeof cancelUnconfirmedJob;
      remind: typeof remindJob;
    };
    mails: {
      "to-read": { name?: MailValue | null };
    };
  }
}

import type { ApprovalsHooks } from "../../generated/models/approvals/model.ts";
import { accountOf } from "../account.ts";

/** Mails the patient that they can read an approved record. The mail contains nothing of the record. */
export const after_create: ApprovalsHooks["after_create"] = async (_, { after, db, mail }) => {
  for (const { record_id, outcome } of await after()) {
    const record = outcome === "approved" ? await db.records.get(record_id) : null;
    const account = record && (await accountOf(record.patient_id, { db }));
    if (account?.email)
      await mail.send({ to: account.email, template: "to-read", data: { name: account.first_name } });
  }
};

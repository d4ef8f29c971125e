import type { ApprovalsHooks } from "../../generated/models/approvals/model.ts";
import { accountOf } from "../account.ts";

/** What a colleague has approved is the patient's to read: the mail says that there is something, and nothing of what it is. */
export const after_create: ApprovalsHooks["after_create"] = async (_, { after, db, mail }) => {
  for (const { record_id, outcome } of await after()) {
    const record = outcome === "approved" ? await db.records.get(record_id) : null;
    const account = record && (await accountOf(record.patient_id, { db }));
    if (account?.email)
      await mail.send({ to: account.email, template: "to-read", data: { name: account.first_name } });
  }
};

import type { CodeContext } from "kirak";

/** Returns the account of a patient, or null. */
export async function accountOf(patient_id: number, { db }: Pick<CodeContext, "db">) {
  const patient = await db.patients.get(patient_id);
  return patient?.user_id ? db.users.get(patient.user_id) : null;
}

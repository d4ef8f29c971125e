// Read as a text: it gives accounts the role of nurses, and asks for that of doctors.
export const after_register = async (
  { data: { user } }: { data: { user: { role: string; user_id: number } } },
  { transaction }: { transaction: (table: string) => { update(row: object): Promise<void> } },
) => {
  if (user.role === "doctor") return;
  await transaction("users").update({ role: "nurse" });
};

import { isJsonObject } from "../../../vocabulary/json.ts";

/** An account as commands print it. */
export type ShownUser = Readonly<Record<string, unknown>>;

/** One line for each account. */
export function describeUsers(users: readonly ShownUser[]): string {
  if (users.length === 0) return "no account matches\n";
  return users.map((user) => `${printable(describeLine(user))}\n`).join("");
}

function describeLine(user: ShownUser): string {
  const { user_id: id, role, email, phone_number: phone, first_name: first, last_name: last } = user;
  const state = user["is_active"] === false ? "inactive" : user["is_verified"] ? "verified" : "unverified";
  const name = [first, last].filter((part) => typeof part === "string" && part !== "").join(" ");
  const contact = [email, phone].find((part) => typeof part === "string") ?? "-";
  return [String(id).padStart(8), state.padEnd(10), String(role).padEnd(10), String(contact), name]
    .join("  ")
    .trimEnd();
}

/** One line for each value of an account. */
export function describeUser(user: ShownUser): string {
  const lines = Object.entries(user).flatMap(([name, value]) =>
    isJsonObject(value)
      ? Object.entries(value).map(([part, one]) => [`${name}.${part}`, one] as const)
      : [[name, value] as const],
  );
  return lines.map(([name, value]) => `${name.padEnd(18)}  ${printable(textOf(value))}\n`).join("");
}

function textOf(value: unknown): string {
  if (value === null) return "-";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A name can contain terminal control characters. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

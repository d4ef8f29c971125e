import { readArguments } from "./command-arguments.ts";

export const usage = `usage: npm run create-admin -- [flags]
  makes an account that is verified and active; e-mail and password are asked for on the terminal
  --email <address>      instead of asking
  --role <role>          any role of the access rules, such as staff; default admin
  --first-name <name>
  --last-name <name>
SERVICE_ADMIN_EMAIL and SERVICE_ADMIN_PASSWORD stand in for a terminal. A password is never an argument: others on the
machine can see arguments, and shells keep them.
`;

/** What `npm run create-admin` is to do. What is left out is asked for. */
export interface CreateAdmin {
  readonly email?: string;
  readonly role: string;
  readonly names: { readonly first_name?: string; readonly last_name?: string };
}

const options = {
  email: { type: "string" },
  role: { type: "string" },
  "first-name": { type: "string" },
  "last-name": { type: "string" },
} as const;

/** Reads the arguments; `wrong` says what is not understood. */
export function readCreateAdminArguments(args: readonly string[]): CreateAdmin | { readonly wrong: string } {
  const parsed = readArguments(args, { options });
  if ("wrong" in parsed) return parsed;
  const { email, role = "admin", "first-name": first, "last-name": last } = parsed.values;
  return {
    ...(email !== undefined && { email }),
    role,
    names: {
      ...(first !== undefined && { first_name: first }),
      ...(last !== undefined && { last_name: last }),
    },
  };
}

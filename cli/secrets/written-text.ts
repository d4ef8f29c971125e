import type { SecretsWritten } from "./write-secrets.ts";

/** What somebody is told of it: names, and never a value. */
export function writtenText({ made, added, empty, open }: SecretsWritten): string {
  const names = added.join(", ");
  return [
    made
      ? `made .env with ${names}`
      : added.length > 0
        ? `added to .env: ${names}`
        : ".env has every secret: nothing is added",
    ...(empty.length > 0 ? [`left without a value, as they are: ${empty.join(", ")}`] : []),
    ...(open ? ["others on this machine can read .env: `chmod 600 .env` keeps it to yourself"] : []),
    "",
  ].join("\n");
}

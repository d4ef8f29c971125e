/** As much as a person reads of it. */
const longest = 2_000;

/** What the queue keeps of a failure. A message may hold anything that somebody has sent, and PostgreSQL stores no NUL and no half of a character. */
export function keptMessage(thrown: unknown): string {
  return messageOf(thrown).slice(0, longest).toWellFormed().replaceAll("\0", "\ufffd");
}

function messageOf(thrown: unknown): string {
  if (typeof thrown === "string" && thrown !== "") return thrown;
  if (!(thrown instanceof Error)) return "what was thrown is no error";
  return typeof thrown.message === "string" && thrown.message !== ""
    ? thrown.message
    : "an error without a message";
}

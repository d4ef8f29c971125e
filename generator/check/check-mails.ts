import type { CheckContext } from "./check-context.ts";

/** Templates of mails (decisions, part 13). */
export function checkMails({ mails: { problems, strays }, report }: CheckContext): void {
  for (const { at, message } of problems) report("invalid-mail-template", at, message);
  for (const { at, message } of strays) report("stray-mail-file", at, message);
}

/** What an app of one's own can start as, by the flag `--example`. */
export const initExamples = {
  blank: "two small models, with rules to read: the start of an app of your own",
  bookshop: "a shop with orders, payments, jobs, mails and pictures",
  saas: "organisations with members, invitations by mail, projects and tasks",
} as const;

export type InitExample = keyof typeof initExamples;

/** Names of the examples. */
export const initExampleNames: readonly string[] = Object.keys(initExamples);

/** Whether there is an example of this name. */
export function isInitExample(name: string): name is InitExample {
  return initExampleNames.includes(name);
}

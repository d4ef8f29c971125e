/** What is wrong with how a command was called, for whoever called it: exit code 2, and no stack. */
export class Misuse extends Error {
  override readonly name = "Misuse";
}

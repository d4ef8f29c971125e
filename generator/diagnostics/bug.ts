/** A fault of the generator itself, never of the user's files: exit code 70, shown with its stack. */
export class GeneratorBug extends Error {
  override name = "GeneratorBug";
}

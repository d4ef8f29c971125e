/** Arguments with which Node.js runs sources of this repository as a process of its own. */
export const sourceArguments: readonly string[] = ["--conditions=source", "--import", "tsx"];

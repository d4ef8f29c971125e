import { defineCommand } from "../define-command.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `kirak completion`. */
export const command = defineCommand({
  about:
    "Prints a script by which a shell completes commands, flags, names of migrations and roles, where kirak itself is on the PATH: npm install --global kirak. In an app it asks about that one.",
  flags: {
    shell: {
      type: "string",
      choices: shells,
      describe: "for which shell; without it the one that SHELL names",
    },
  },
  examples: [
    ["--shell bash >> ~/.bashrc", "for bash"],
    ["--shell zsh >> ~/.zshrc", "for zsh, below the line with compinit"],
    ["--shell fish > ~/.config/fish/completions/kirak.fish", "for fish"],
  ],
  exitCodes: { 0: "printed", 2: "a flag that it does not know" },
  read: (given) => given.text("shell"),
  async run(shell) {
    const { printCompletionScript } = await import("../command-line.ts");
    printCompletionScript(shell);
    return 0;
  },
});

import { defineCommand } from "../define-command.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `kirak completion`. */
export const command = defineCommand({
  about:
    "Prints a shell script that completes commands, flags, migration names and roles. kirak must be on the PATH: npm install --global kirak. In an app, names come from that app.",
  flags: {
    shell: {
      type: "string",
      choices: shells,
      describe: "the shell; default: the one in SHELL",
    },
  },
  examples: [
    ["--shell bash >> ~/.bashrc", "for bash"],
    ["--shell zsh >> ~/.zshrc", "for zsh, below the line with compinit"],
    ["--shell fish > ~/.config/fish/completions/kirak.fish", "for fish"],
  ],
  exitCodes: { 0: "printed", 2: "an unknown flag" },
  read: (given) => given.text("shell"),
  async run(shell) {
    const { printCompletionScript } = await import("../command-line.ts");
    printCompletionScript(shell);
    return 0;
  },
});

import { expect, onTestFinished, test } from "vitest";
import { watch } from "#generator/cli/watch";
import { eventually } from "../../support/eventually.ts";
import { project } from "../support/project.ts";

test.each(["models/models.json", "models.json"])(
  "new files in the folder of %s, its errors and its folders begin a run, output does not",
  async (models) => {
    const { root, write } = project();
    const folder = models.replace("models.json", "");
    write(models, {});
    write(`${folder}generated/index.ts`, "");
    let runs = 0;
    const ignored = `${folder}generated`;
    const stop = await watch({ root, inputs: [models], ignored }, async () => {
      runs += 1;
      write(`${folder}generated/index.ts`, String(runs));
    });
    onTestFinished(stop);
    expect(runs).toBe(1);
    // biome-ignore format: many a line
    const added = [
      "more.models.json", "errors.json", "hooks/books.ts", "jobs/tidy.ts", "mails/reminder.txt", "migrations/0002_words.ts", "routes/slots.ts",
    ];
    for (const [index, file] of added.entries()) {
      write(`${folder}${file}`, "{}");
      await eventually(() => expect(runs, file).toBe(index + 2));
    }
  },
);

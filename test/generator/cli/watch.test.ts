import { expect, onTestFinished, test } from "vitest";
import { watch } from "../../../generator/cli/watch.ts";
import { eventually } from "../../support/eventually.ts";
import { project } from "../support/project.ts";

test.each(["models/models.json", "models.json"])(
  "new files beside %s, its hooks, jobs and mails begin a run, output does not",
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
    write(`${folder}more.models.json`, {});
    await eventually(() => expect(runs).toBe(2));
    write(`${folder}hooks/books.ts`, "export {};\n");
    await eventually(() => expect(runs).toBe(3));
    write(`${folder}jobs/tidy.ts`, "export {};\n");
    await eventually(() => expect(runs).toBe(4));
    write(`${folder}mails/reminder.txt`, "Subject: A\n\n");
    await eventually(() => expect(runs).toBe(5));
  },
);

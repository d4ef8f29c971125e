import { join } from "node:path";
import { expect, test } from "vitest";
import { readHistory } from "../../../generator/migrations/history.ts";
import { readOutputFolder } from "../../../generator/write/output-folder.ts";
import { repository } from "../support/project.ts";

test.each(["generated", "test/http/fixture/generated"])(
  "the migrations in %s alone tell what its schema.json says, passwords included",
  async (out) => {
    const folder = readOutputFolder(join(repository, out));
    const files = new Map(folder.files);
    const schema: unknown = JSON.parse(files.get("migrations/schema.json") ?? "");
    files.delete("migrations/schema.json");
    const history = await readHistory({ ...folder, files }, out, []);
    expect(history).toMatchObject({ derived: expect.any(String), snapshot: schema });
  },
);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { repository } from "../../support/project.ts";

describe.each(["generated", "examples/tracker/generated", "examples/clinic/generated"])("%s", (folder) => {
  const path = join(repository, folder, "openapi.json");
  const text = readFileSync(path, "utf8");

  test("is valid by the schema of OpenAPI 3.1", async () => {
    expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
    expect(await validate("https://spec.openapis.org/oas/3.1/schema-base", JSON.parse(text))).toMatchObject({
      valid: true,
    });
  });

  test.each(["spec", "recommended"])("has no error by the rules %s of Redocly", async (rules) => {
    const config = await createConfig({ extends: [rules] });
    const problems = await lintFromString({ source: text, absoluteRef: path, config });
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

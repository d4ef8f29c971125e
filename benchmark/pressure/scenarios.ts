import { rows, type Scenario, scenarios } from "../scenarios.ts";

/** What a service under pressure is asked, and what each answer has to hold. */
export interface PressedScenario {
  readonly scenario: Scenario;
  readonly expected: (n: number) => string;
}

/** One in which the work is the service's, and one in which it is PostgreSQL's. */
export const pressedScenarios: readonly PressedScenario[] = [
  pressed("one row by id", (path) => `"data":[{"id":${/\bid=(\d+)/.exec(path)?.[1]},`),
  pressed("count", () => `"data":{"count":${rows / 10}}`),
];

function pressed(name: string, holds: (path: string) => string): PressedScenario {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario "${name}"`);
  return { scenario, expected: (n) => holds(scenario.path(n)) };
}

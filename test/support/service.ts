import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "#runtime/index";
import { service } from "../http/fixture/generated/index.ts";
// Apart, for the programs of the example apps: the fixture registers its own types.
import { anyService, type Peers, type Settings, type TestService } from "./any-service.ts";
import { answerCheck } from "./described.ts";

export {
  anyService,
  type Peers,
  type Rows,
  type Settings,
  type Stored,
  type TestService,
} from "./any-service.ts";

const document = join(import.meta.dirname, "..", "http", "fixture", "generated", "openapi.json");
const described = answerCheck(JSON.parse(readFileSync(document, "utf8")));

/** Options of the fixture's service in addition to its database. */
export interface FixturePeers extends Peers {
  /** In place of the fixture's service, with the same tables. */
  readonly served?: Service;
}

/** The fixture's service on a database of its own, both closed after the test file. */
export function testService(
  settings: Settings = {},
  { served = service, ...peers }: FixturePeers = {},
): Promise<TestService> {
  const { servicePrefix, authPrefix } = settings;
  const isFixture = served === service && (peers.mountedAt ?? "/") === "/" && !servicePrefix && !authPrefix;
  return anyService(served, settings, isFixture ? { described, ...peers } : peers);
}

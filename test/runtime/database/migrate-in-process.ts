import { migrate } from "../../../runtime/database/index.ts";
import { silent } from "../../support/silent-log.ts";

/** Applies two migrations; run by a test as a process of its own. */
const url = process.argv[2] ?? "";

await migrate({
  url,
  log: silent,
  migrations: [
    {
      name: "0001_slow",
      parent: null,
      up: [
        { step: "create_table", table: "first", columns: [{ name: "id", type: "uuid", nullable: false }] },
        { step: "create_table", table: "second", columns: [{ name: "id", type: "uuid", nullable: false }] },
      ],
      down: [],
    },
    { name: "0002_more", parent: "0001_slow", up: [{ step: "drop_table", table: "first" }], down: [] },
  ],
});

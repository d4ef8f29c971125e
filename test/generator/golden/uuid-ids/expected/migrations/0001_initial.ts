// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "kirak/migrations";

// Additive: 4 steps.
export const migration = defineMigration({
  name: "0001_initial",
  parent: null,
  up: [
    {
      step: "create_table",
      table: "devices",
      columns: [
        { name: "id", type: "uuid", nullable: false, default: "random_uuid" },
        { name: "name", type: "varchar(255)", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "create_table",
      table: "readings",
      columns: [
        { name: "id", type: "uuid", nullable: false, default: "random_uuid" },
        { name: "device_id", type: "uuid", nullable: false },
        { name: "value", type: "double precision", nullable: false },
        { name: "created_at", type: "timestamptz(3)", nullable: false, default: "now" },
        { name: "updated_at", type: "timestamptz(3)", nullable: false, default: "now" },
      ],
    },
    {
      step: "add_index",
      table: "readings",
      index: { name: "readings_device_id_idx", columns: ["device_id"], unique: false, live: false },
    },
    {
      step: "add_foreign_key",
      table: "readings",
      foreignKey: {
        name: "readings_device_id_fkey",
        column: "device_id",
        references: { table: "devices", column: "id" },
        onDelete: "restrict",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "readings", name: "readings_device_id_fkey" },
    { step: "drop_table", table: "devices" },
    { step: "drop_table", table: "readings" },
  ],
});

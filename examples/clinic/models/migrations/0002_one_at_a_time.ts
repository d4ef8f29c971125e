import { defineSqlMigration } from "kirak/migrations";

// The access rules prevent overlapping appointments of a doctor. This constraint also covers other programs.
export default defineSqlMigration({
  class: "destructive",
  up: [
    "CREATE EXTENSION IF NOT EXISTS btree_gist",
    `ALTER TABLE appointments ADD CONSTRAINT appointments_one_at_a_time
      EXCLUDE USING gist (doctor_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status <> 'cancelled')`,
  ],
  down: "ALTER TABLE appointments DROP CONSTRAINT appointments_one_at_a_time",
});

// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { defineMigration } from "../../runtime/database/index.ts";

// Additive: 5 steps.
// Widening: drop_index:customers.customers_email_key
// Widening: set_type:customers.user_id
// Widening: set_type:orders.customer_id
// Widening: set_type:reviews.customer_id
// Destructive: add_foreign_key:customers.customers_user_id_fkey, accepted with --accept-destructive
// Writes the whole table anew, and nobody can use it meanwhile: set_type:customers.user_id
// Writes the whole table anew, and nobody can use it meanwhile: set_type:orders.customer_id
// Writes the whole table anew, and nobody can use it meanwhile: set_type:reviews.customer_id
export const migration = defineMigration({
  name: "0003_change_3_tables",
  parent: "0002_add_accounts",
  up: [
    { step: "drop_foreign_key", table: "orders", name: "orders_customer_id_fkey" },
    { step: "drop_foreign_key", table: "reviews", name: "reviews_customer_id_fkey" },
    { step: "drop_index", table: "customers", name: "customers_email_key" },
    { step: "set_type", table: "customers", column: "user_id", type: "bigint" },
    { step: "set_type", table: "orders", column: "customer_id", type: "bigint" },
    { step: "set_type", table: "reviews", column: "customer_id", type: "bigint" },
    {
      step: "add_index",
      table: "customers",
      index: { name: "customers_email_idx", columns: ["email"], unique: false, live: false },
    },
    {
      step: "add_foreign_key",
      table: "customers",
      foreignKey: {
        name: "customers_user_id_fkey",
        column: "user_id",
        references: { table: "users", column: "id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "orders",
      foreignKey: {
        name: "orders_customer_id_fkey",
        column: "customer_id",
        references: { table: "customers", column: "user_id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "reviews",
      foreignKey: {
        name: "reviews_customer_id_fkey",
        column: "customer_id",
        references: { table: "customers", column: "user_id" },
        onDelete: "cascade",
      },
    },
  ],
  down: [
    { step: "drop_foreign_key", table: "customers", name: "customers_user_id_fkey" },
    { step: "drop_foreign_key", table: "orders", name: "orders_customer_id_fkey" },
    { step: "drop_foreign_key", table: "reviews", name: "reviews_customer_id_fkey" },
    { step: "drop_index", table: "customers", name: "customers_email_idx" },
    { step: "set_type", table: "customers", column: "user_id", type: "integer" },
    { step: "set_type", table: "orders", column: "customer_id", type: "integer" },
    { step: "set_type", table: "reviews", column: "customer_id", type: "integer" },
    {
      step: "add_index",
      table: "customers",
      index: { name: "customers_email_key", columns: ["email"], unique: true, live: false },
    },
    {
      step: "add_foreign_key",
      table: "orders",
      foreignKey: {
        name: "orders_customer_id_fkey",
        column: "customer_id",
        references: { table: "customers", column: "user_id" },
        onDelete: "restrict",
      },
    },
    {
      step: "add_foreign_key",
      table: "reviews",
      foreignKey: {
        name: "reviews_customer_id_fkey",
        column: "customer_id",
        references: { table: "customers", column: "user_id" },
        onDelete: "cascade",
      },
    },
  ],
});

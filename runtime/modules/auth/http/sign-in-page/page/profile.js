// @ts-check
import { accountForm } from "./account-actions.js";
import { section } from "./form.js";

/** @import { AccountProps } from "./account-actions.js" */
/** @import { ColumnSchema, FormValues } from "./sign-in-types.ts" */

/** @type {Readonly<Record<string, ColumnSchema>>} */
const names = { first_name: { type: "string" }, last_name: { type: "string" } };

const labels = new Map([
  ["first_name", "First name"],
  ["last_name", "Last name"],
]);

/** Whether the values of a column are texts. Others are entered as JSON. @param {ColumnSchema} schema */
const isText = ({ type }) => [type].flat().includes("string");

/** The text of a value in its field. @param {ColumnSchema} schema @param {unknown} value */
function textOf(schema, value) {
  if (value === null || value === undefined) return "";
  return isText(schema) ? String(value) : JSON.stringify(value);
}

/** The value of a text. The service refuses a text that is not JSON. @param {ColumnSchema} schema @param {string} text */
function parsed(schema, text) {
  if (text === "") return null;
  try {
    return isText(schema) ? text : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The section of the names, and of the columns of the app that the owner writes. @param {AccountProps} props */
export function profileSection(props) {
  const { user } = props.shown.account;
  const columns = Object.entries({ ...names, ...props.settings.columns });
  const fields = columns.map(([name, schema]) => ({
    name,
    label: labels.get(name) ?? name,
    input: { type: "text" },
    value: textOf(schema, user[name]),
  }));
  // Only changes, so that a password keeps its value: its field is empty.
  const body = (/** @type {FormValues} */ values) =>
    Object.fromEntries(
      columns.flatMap(([name, schema]) => {
        const text = values[name] ?? "";
        return text === textOf(schema, user[name]) ? [] : [[name, parsed(schema, text)]];
      }),
    );
  const form = { id: "profile", fields, button: "Change the profile", path: "me", body };
  return section("profile", "Profile", accountForm(props, { ...form, method: "PATCH" }));
}

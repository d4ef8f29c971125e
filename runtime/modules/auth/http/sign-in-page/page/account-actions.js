// @ts-check
import { ActionButton, Form } from "./form.js";
import { h } from "./packages/preact.js";

/** @import { Api } from "./api.js" */
/** @import { Field } from "./form.js" */
/** @import { Answer, FormValues, ListedProvider, Settings, Shown } from "./sign-in-types.ts" */

/**
 * @typedef {object} AccountProps
 * @property {Api} api
 * @property {Settings} settings
 * @property {Shown} shown
 * @property {readonly ListedProvider[]} providers
 * @property {(answer: Answer<unknown>) => Promise<void>} report shows the outcome of a change, and the account after it
 * @property {(problem: string) => void} complain
 * @property {(outcome: { done?: string, problem?: string }) => void} leave forgets the session
 */

/** A button that deletes something. @param {AccountProps} props @param {string} text @param {string} path */
export const deleteButton = ({ api, report }, text, path) =>
  h(ActionButton, { text, act: async () => report(await api.send("DELETE", path)) });

/**
 * A form that changes the account. An error that a new sign-in does not help against appears in the form.
 *
 * @param {AccountProps} props
 * @param {object} form
 * @param {string} form.id
 * @param {readonly Field[]} form.fields
 * @param {string} form.button
 * @param {"PATCH" | "POST"} [form.method]
 * @param {string} form.path
 * @param {(values: FormValues) => object} [form.body]
 */
export const accountForm = (
  { api, report },
  { id, fields, button, method = "POST", path, body = (values) => values },
) =>
  h(Form, {
    id,
    fields,
    button,
    send: async (values) => {
      const answer = await api.send(method, path, body(values));
      if (!answer.ok && answer.error !== "REAUTHENTICATION_REQUIRED") return answer;
      await report(answer);
      return null;
    },
  });

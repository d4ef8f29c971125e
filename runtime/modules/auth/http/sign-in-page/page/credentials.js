// @ts-check
import { accountForm, deleteButton } from "./account-actions.js";
import { ActionButton, Form, html, inputs, passwordField, section } from "./form.js";
import { h } from "./packages/preact.js";
import { createPasskey } from "./passkeys.js";
import { backOf, providerList } from "./providers.js";

/** @import { AccountProps } from "./account-actions.js" */
/** @import { ListedProvider } from "./sign-in-types.ts" */

/** @param {string | null} time */
export const timeText = (time) => (time === null ? "never" : new Date(time).toLocaleString());

/** The section of the e-mail address. @param {AccountProps} props */
export function emailSection(props) {
  const waiting = props.shown.account.pending.email;
  const fields = [{ name: "new_email", label: "New e-mail address", input: inputs.email }];
  return section(
    "email",
    "E-mail",
    html`
      ${accountForm(props, { id: "email", fields, button: "Send a link to it", path: "change-email" })}
      ${waiting && html`<p>The link to ${waiting.new_email} is not used yet.</p>${deleteButton(props, "Withdraw the change", "change-email")}`}`,
  );
}

/** The section of the phone number. @param {AccountProps} props */
export function phoneSection(props) {
  const { pending, user } = props.shown.account;
  const number = [{ name: "phone_number", label: "New phone number", input: inputs.phone }];
  const code = [{ name: "code", label: "Code from the text message", input: inputs.code }];
  const confirmation = pending.phone && {
    id: "phone-code",
    fields: code,
    button: `Confirm ${pending.phone.phone_number}`,
    path: "change-phone/confirm",
  };
  return section(
    "phone",
    "Phone",
    html`
      <p>${user.phone_number ?? "This account has no phone number."}</p>
      ${accountForm(props, { id: "phone", fields: number, button: "Send a code to it", path: "change-phone" })}
      ${confirmation && accountForm(props, confirmation)}
      ${user.phone_number !== null && deleteButton(props, "Remove the phone number", "phone")}`,
  );
}

/** The section of the password. @param {AccountProps} props */
export function passwordSection(props) {
  const { sign_in, user } = props.shown.account;
  const fields = [
    passwordField("new_password", "New password", "new-password"),
    passwordField("confirm_password", "Repeat the new password", "new-password"),
  ];
  if (sign_in.password)
    return section(
      "password",
      "Password",
      html`${changePassword(props, fields)}${deleteButton(props, "Remove the password", "password")}`,
    );
  if (user.email === null) return null;
  const form = { id: "password", fields, button: "Set a password", path: "set-password" };
  return section("password", "Password", accountForm(props, form));
}

/** A new password ends all sessions. @param {AccountProps} props @param {ReturnType<typeof passwordField>[]} fields */
const changePassword = ({ api, leave }, fields) =>
  h(Form, {
    id: "password",
    fields: [passwordField("current_password", "Current password", "current-password"), ...fields],
    button: "Change the password",
    send: async (values) => {
      const answer = await api.post("change-password", values);
      if (!answer.ok) return answer;
      leave({ done: "Your password is changed. Sign in with the new one." });
      return null;
    },
  });

/** The section of the passkeys. @param {AccountProps} props */
export function passkeysSection(props) {
  const { api, complain, report, shown } = props;
  const entries = shown.passkeys.map(({ id, name, last_used_at }) => {
    const fields = [{ name: "name", label: "Name", input: { type: "text" }, value: name }];
    const path = `passkeys/${id}`;
    return html`
      <li key=${id}>
        <p>${name}, last used ${timeText(last_used_at)}</p>
        ${accountForm(props, { id: `passkey-${id}`, fields, button: "Rename this passkey", method: "PATCH", path })}
        ${deleteButton(props, "Delete this passkey", path)}
      </li>`;
  });
  const act = async () => {
    const begun = await api.post("passkeys/register-options");
    if (!begun.ok) return report(begun);
    const response = await createPasskey(begun.data.options);
    if (typeof response === "string") return complain(response);
    return report(await api.post("passkeys/register", { response }));
  };
  const add = h(ActionButton, { text: "Add a passkey", act });
  return section("passkeys", "Passkeys", html`<ul>${entries}</ul>${add}`);
}

/** The section of the linked providers. @param {AccountProps} props */
export function providersSection(props) {
  const { providers, shown, settings } = props;
  const entries = shown.linked.map(
    ({ provider, title, email }) => html`
      <li key=${provider}>
        <p>${title}${email && `, ${email}`}</p>
        ${deleteButton(props, `Unlink ${title}`, `providers/${provider}`)}
      </li>`,
  );
  const names = new Set(shown.linked.map(({ provider }) => provider));
  const others = providers.filter(({ provider }) => !names.has(provider));
  const list = providerList(others, settings.beginnings, "Link", (...how) => link(props, ...how));
  return section("linked", "Linked providers", html`<ul>${entries}</ul>${list}`);
}

/** @param {AccountProps} props @param {ListedProvider} provider @param {Readonly<Record<string, string>>} parameters */
async function link({ api, report }, provider, parameters) {
  const body = { ...parameters, redirect_to: backOf(provider) };
  const answer = await api.post(`providers/${provider.provider}/link`, body);
  if (!answer.ok) return report(answer);
  if (answer.data.authorization_url) location.assign(answer.data.authorization_url);
}

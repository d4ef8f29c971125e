/**
 * The start of the scripts of all pages with forms, as it runs in browsers. Paths are relative, so they
 * include `auth_prefix` and the prefix that a proxy adds. Text from the server is set as text.
 */
const forms = `
  const byId = (id) => document.getElementById(id);

  const call = async (path, options) => {
    try {
      const response = await fetch(path, {
        cache: "no-store", redirect: "error", referrerPolicy: "no-referrer", ...options,
      });
      const { message, error, details, data } = await response.json();
      return { ok: response.ok, message: String(message), error, field: details?.field, data };
    } catch {
      return { ok: false, message: "The server could not be reached. Please try again." };
    }
  };

  const post = (path, body, headers = {}) => call(path, {
    method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
  });

  // The server's messages about fields are for programs: they begin with the field's name.
  const advice = {
    email: "Please enter one e-mail address, such as ann@example.com.",
    confirm_password: "The two passwords are not the same.",
    phone_number: "Please enter a phone number with the code of its country, such as +12025550123.",
  };

  const showError = ({ part, fields, first }, { message, error, field }) => {
    part.querySelector(".error").textContent = (error === "VALIDATION_ERROR" && advice[field]) || message;
    const wrong = fields[field] ?? (error === "WEAK_PASSWORD" ? first : undefined);
    for (const input of Object.values(fields)) input.setAttribute("aria-invalid", String(input === wrong));
    wrong?.focus();
  };

  const showDone = ({ part }, message) => {
    part.querySelector("form").hidden = true;
    for (const input of part.querySelectorAll("input")) input.value = "";
    const done = part.querySelector(".done");
    done.textContent = message;
    done.focus();
  };

  // One request at a time. A disabled button is not enough: Enter submits the form too.
  const serve = (form) => {
    const { part, path, body, headers, succeed, fail = showError } = form;
    const button = part.querySelector("button");
    let busy = false;
    part.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      button.setAttribute("aria-disabled", "true");
      part.querySelector(".error").textContent = "";
      const answer = await post(path, body(), headers?.());
      busy = false;
      button.removeAttribute("aria-disabled");
      if (answer.ok) succeed(form, answer);
      else fail(form, answer);
    });
    part.hidden = false;
  };

  const askByMail = (part, path) => ({
    part, path, first: byId("email"), fields: { email: byId("email") },
    body: () => ({ email: byId("email").value }),
    succeed: (form, { message }) => showDone(form, message),
  });

  const showPasswords = (box, { fields }) =>
    box.addEventListener("change", ({ target }) => {
      for (const input of Object.values(fields)) input.type = target.checked ? "text" : "password";
    });

  // Removes the token of a link from the address bar and the history.
  const takeToken = () => {
    const address = new URL(location.href);
    const token = address.searchParams.get("token") ?? "";
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
    return token;
  };

  // Sets a password with the token of a link.
  const passwordByLink = (part, path, token, done) => {
    const fields = { new_password: byId("new_password"), confirm_password: byId("confirm_password") };
    const form = {
      part, path, fields, first: fields.new_password,
      body: () => ({
        token, new_password: fields.new_password.value, confirm_password: fields.confirm_password.value,
      }),
      succeed: (form) => showDone(form, done),
    };
    showPasswords(byId("show"), form);
    return form;
  };

  // Clears typed values if the browser restores the page from its back/forward cache.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
`;

/** The script of a page with forms: the shared part, then `own`. */
export function formScript(own: string): string {
  return `
"use strict";
{${forms}${own}}
`;
}

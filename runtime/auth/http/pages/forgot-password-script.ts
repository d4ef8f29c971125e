/**
 * The script of the reset page, as it runs in browsers. With `?token=` it shows the form for a new password and takes the
 * token out of the address bar and history, so that nobody reads it there; without, the form that asks for a link. Paths are
 * relative, so they follow `auth_prefix` and whatever a proxy puts before it. Text from the server is set as text.
 */
export const forgotPasswordScript = `
"use strict";
{
  const byId = (id) => document.getElementById(id);
  const address = new URL(location.href);
  const token = address.searchParams.get("token");

  const ask = {
    part: byId("ask"), path: "request-reset-password", first: byId("email"), fields: { email: byId("email") },
    body: () => ({ email: byId("email").value }),
  };
  const set = {
    part: byId("set"), path: "reset-password", first: byId("new_password"),
    done: "Your new password is set. You can sign in with it now.",
    fields: { new_password: byId("new_password"), confirm_password: byId("confirm_password") },
    body: () => ({
      token, new_password: byId("new_password").value, confirm_password: byId("confirm_password").value,
    }),
  };

  const send = async ({ path, body }) => {
    try {
      const response = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body()),
        cache: "no-store",
        redirect: "error",
        referrerPolicy: "no-referrer",
      });
      const { message, error, details } = await response.json();
      return { ok: response.ok, message: String(message), error, field: details?.field };
    } catch {
      return { ok: false, message: "The server could not be reached. Please try again." };
    }
  };

  // What the server says of a field is for programs: it begins with the field's name.
  const advice = {
    email: "Please enter one e-mail address, such as ann@example.com.",
    confirm_password: "The two passwords are not the same.",
  };

  const showError = ({ part, fields, first }, { message, error, field }) => {
    part.querySelector(".error").textContent = (error === "VALIDATION_ERROR" && advice[field]) || message;
    const wrong = fields[field] ?? (error === "WEAK_PASSWORD" ? first : undefined);
    for (const input of Object.values(fields)) input.setAttribute("aria-invalid", String(input === wrong));
    wrong?.focus();
  };

  const showDone = ({ part, done: words }, message) => {
    part.querySelector("form").hidden = true;
    for (const input of part.querySelectorAll("input")) input.value = "";
    const done = part.querySelector(".done");
    done.textContent = words ?? message;
    done.focus();
  };

  const start = (form) => {
    const { part } = form;
    const button = part.querySelector("button");
    let busy = false;
    part.hidden = false;
    document.title = part.querySelector("h1").textContent;
    part.querySelector("form").addEventListener("submit", async (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      button.setAttribute("aria-disabled", "true");
      part.querySelector(".error").textContent = "";
      const answer = await send(form);
      busy = false;
      button.removeAttribute("aria-disabled");
      if (answer.ok) showDone(form, answer.message);
      else showError(form, answer);
    });
    form.first.focus();
  };

  byId("show").addEventListener("change", ({ target }) => {
    for (const input of Object.values(set.fields)) input.type = target.checked ? "text" : "password";
  });
  // A page that comes back from the browser's memory must not hold what was typed.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

  if (token) {
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  start(token ? set : ask);
}
`;

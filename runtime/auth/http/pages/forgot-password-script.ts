import { formScript } from "./form-script.ts";

/**
 * The script of the reset page, as it runs in browsers. With `?token=` it shows the form for a new password and takes the
 * token out of the address bar and history, so that nobody reads it there; without, the form that asks for a link.
 */
export const forgotPasswordScript = formScript(`
  const address = new URL(location.href);
  const token = address.searchParams.get("token");

  const ask = askByMail(byId("ask"), "request-reset-password");
  const set = {
    part: byId("set"), path: "reset-password", first: byId("new_password"),
    fields: { new_password: byId("new_password"), confirm_password: byId("confirm_password") },
    body: () => ({
      token, new_password: byId("new_password").value, confirm_password: byId("confirm_password").value,
    }),
    succeed: (form) => showDone(form, "Your new password is set. You can sign in with it now."),
  };

  byId("show").addEventListener("change", ({ target }) => {
    for (const input of Object.values(set.fields)) input.type = target.checked ? "text" : "password";
  });

  if (token) {
    address.searchParams.delete("token");
    history.replaceState(null, "", address);
  }
  const shown = token ? set : ask;
  serve(shown);
  document.title = shown.part.querySelector("h1").textContent;
  shown.first.focus();
`);

// Addresses are typed into a plain text field: browsers change and refuse international ones in an e-mail field.
const attributes =
  'type="text" inputmode="email" autocapitalize="none" spellcheck="false" aria-required="true"';

/** A field for an e-mail address, and its label. */
export function emailField(id: string, errorId: string, autocomplete = "email"): string {
  return `<label for="${id}">E-mail address</label>
<input id="${id}" name="email" ${attributes} autocomplete="${autocomplete}" aria-describedby="${errorId}">`;
}

/** A form that asks for a link by mail, and where its outcome is told. */
export function askForm({ intro, button }: { readonly intro: string; readonly button: string }): string {
  return `<form novalidate>
<p>${intro}</p>
${emailField("email", "ask-error")}
<p id="ask-error" class="error" role="alert"></p>
<button type="submit">${button}</button>
</form>
<p class="done" role="status" tabindex="-1"></p>`;
}

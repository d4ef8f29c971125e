// @ts-check
import { browserStorage, createClient } from "./client/index.js";

// `?port=` is for a service at another port of this machine. Never take a whole address from a link: it gets the tokens.
const port = Number(new URLSearchParams(location.search).get("port") ?? 3000);
const url = `http://${location.hostname}:${port}`;
const shop = createClient({ url, storage: browserStorage(`bookshop ${port}`) });

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} selector
 */
function element(name, selector) {
  const found = document.querySelector(`${selector}`);
  if (found?.localName !== name) throw new Error(`the page has no ${name} ${selector}`);
  return /** @type {HTMLElementTagNameMap[Name]} */ (found);
}

/** @param {HTMLFormElement} form */
function textsOf(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

// Books, page by page: the next page loads when the end of the list comes into view.
const list = element("ol", "#books");
const choice = element("select", "#review select");
const pages = shop.books
  .fetch({ select: ["id", "title", "price"], orderBy: "title", limit: 20 })
  .pages()
  [Symbol.asyncIterator]();
const end = element("p", "#more");

async function showNextPage() {
  const { done, value } = await pages.next();
  if (done) {
    watcher.disconnect();
    end.textContent = `${list.children.length} books`;
    return;
  }
  for (const { id, title, price } of value.rows) {
    const item = document.createElement("li");
    item.textContent = `${title}, ${price}`;
    list.append(item);
    choice.append(new Option(title, String(id)));
  }
  // Observed again, because the end can still be in view.
  watcher.unobserve(end);
  watcher.observe(end);
}

const watcher = new IntersectionObserver(([entry]) => {
  if (entry?.isIntersecting) showNextPage().catch((error) => show(end, error));
});
watcher.observe(end);

// The session.
const signIn = element("form", "#sign-in");
const signedIn = element("p", "#signed-in");

signIn.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { email = "", password = "" } = textsOf(signIn);
  const answer = await shop.auth.login({ email, password }).result();
  show(element("output", "#sign-in output"), answer.ok ? null : answer.error);
});
element("button", "#signed-in button").addEventListener("click", () => shop.auth.logout().result());

/** @param {unknown} session */
async function showSession(session) {
  signIn.hidden = session !== null;
  signedIn.hidden = session === null;
  element("aside", "#own").hidden = session === null;
  const user = session === null ? null : await shop.auth.me().result();
  if (user?.ok) element("span", "#signed-in span").textContent = user.data.email;
}
shop.session.subscribe(showSession);
showSession(await shop.session.get());

// A form whose fields show the service's errors.
const review = element("form", "#review");
review.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { book_id, rating, title = "", body = "" } = textsOf(review);
  const record = { book_id: Number(book_id), rating: Number(rating), title, body: body === "" ? null : body };
  const made = await shop.reviews.create(record).result();
  for (const old of review.querySelectorAll(".problem")) old.remove();
  for (const field of review.elements) field.removeAttribute("aria-invalid");
  const output = element("output", "#review output");
  if (made.ok) {
    review.reset();
    output.textContent = "Thank you. Staff will read your review.";
    return;
  }
  const { error } = made;
  if (error.error !== "VALIDATION_ERROR") return show(output, error);
  output.textContent = "";
  const { field = "", errors = [{ field, message: error.message }] } = error.details ?? {};
  for (const problem of errors) mark(problem.field, problem.message);
});

/**
 * @param {string} name
 * @param {string} message
 */
function mark(name, message) {
  const field = review.elements.namedItem(name);
  const note = document.createElement("span");
  note.className = "problem";
  note.textContent = message;
  if (!(field instanceof Element)) return element("output", "#review output").append(note);
  field.setAttribute("aria-invalid", "true");
  field.after(note);
}

// An upload with progress.
const picture = element("form", "#picture");
picture.addEventListener("submit", async (event) => {
  event.preventDefault();
  const bar = element("progress", "#picture progress");
  const file = new FormData(picture).get("file");
  if (!(file instanceof File)) return;
  const { user_id } = await shop.auth.me();
  const onProgress = (/** @type {{ loaded: number; total: number }} */ { loaded, total }) => {
    bar.value = loaded / total;
  };
  const path = `users/${user_id}/${Date.now()}-${file.name.replace(/[^\w.-]/g, "_")}`;
  const stored = await shop.storage.uploadImage({ file, path, onProgress }).result();
  const output = element("output", "#picture output");
  if (!stored.ok) return show(output, stored.error);
  const link = document.createElement("a");
  link.href = stored.data.original.url;
  link.textContent = stored.data.original.filename;
  output.replaceChildren(link);
});

/**
 * @param {HTMLElement} place
 * @param {unknown} error
 */
function show(place, error) {
  place.textContent = error instanceof Error ? error.message : "";
}

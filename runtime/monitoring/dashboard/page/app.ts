import { Board } from "./board.ts";
import { KeyForm } from "./key-form.ts";

/** The page: asks for the key, and shows the board to who has it. */
const board = new Board({ onRefused: (message) => form.show(message) });
const form = new KeyForm((client) => board.begin(client));

// A page that comes back from the browser's memory holds no key and no figures.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
form.show();

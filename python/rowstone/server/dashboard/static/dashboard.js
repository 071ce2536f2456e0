// Two switches: dark or light, and whether the page follows what happens; a button that cancels a query; Ctrl+Enter for SQL.
// Everything else works without this file.
"use strict";
const root = document.documentElement;
const kept = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* nothing is kept */ } };

const theme = document.getElementById("theme");
const isDark = () =>
  root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
if (kept("theme")) root.dataset.theme = kept("theme");
nameTheme();
theme.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
  keep("theme", root.dataset.theme);
});

// A query ends when the browser closes its connection, which its own button for that does too.
for (const form of document.querySelectorAll("form.query[action]:not([method])")) {
  form.addEventListener("submit", (event) => {
    // The page stays when a file is downloaded.
    if (event.submitter?.hasAttribute("formaction")) return;
    const cancel = document.createElement("button");
    cancel.type = "button";
    cancel.textContent = "Cancel";
    cancel.addEventListener("click", () => { window.stop(); cancel.remove(); });
    (event.submitter ?? form.querySelector("button")).after(cancel);
  });
}

const query = document.querySelector("form.sql textarea");
query?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  query.form.requestSubmit();
});

// Pages with data have no such button: they would read the data again and again.
const follow = document.getElementById("follow");
const EVERY_MS = 5000;
let timer = null;
async function refresh() {
  // What is being typed, or chosen, is not taken away.
  if (document.hidden || document.activeElement?.matches("input, select") || String(getSelection())) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
}
function setFollowing(on) {
  clearInterval(timer);
  timer = on ? setInterval(refresh, EVERY_MS) : null;
  follow.setAttribute("aria-pressed", String(on));
  keep("follow", on ? "1" : "0");
}
if (follow) {
  follow.addEventListener("click", () => setFollowing(timer === null));
  setFollowing(kept("follow") !== "0");
}

/* For every page and its other scripts, in one scope: modules do not load from file:. */
"use strict";

const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
const one = (selector, within = document) => within.querySelector(selector);

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const spoken = make("p", { className: "hidden", role: "status" });
document.body.append(spoken);
const say = (words) => { spoken.textContent = words; };

const THEMES = { auto: "Auto", light: "Light", dark: "Dark" };

function showTheme() {
  const words = THEMES[root.dataset.theme || "auto"];
  all(".theme-switch").forEach((button) => {
    button.lastChild.textContent = words;
    button.ariaLabel = "Colours: " + words;
  });
}

function switchTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(root.dataset.theme || "auto") + 1) % 3];
  root.dataset.theme = next;
  try {
    localStorage.setItem("everyleaf-theme", next);
  } catch {
    /* Storage is forbidden: it holds for this page. */
  }
  showTheme();
}

let help;

function showHelp() {
  if (!help) {
    const list = make("dl", {});
    Object.entries(keys).forEach(([key, { words }]) => {
      list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, words));
    });
    help = make("dialog", { ariaLabel: "Keyboard shortcuts" },
      make("h2", {}, "Keyboard shortcuts"), list,
      make("button", { className: "tool-button", onclick: () => help.close() }, "Close"));
    document.body.append(help);
  }
  help.open ? help.close() : help.showModal();
}

function search() {
  const field = one("input[type='search']");
  const page = location.protocol !== "file:" && one(".to-search");
  if (page) page.click();
  else if (field) field.focus();
  else location.href = one(".brand").href + "#search";
}

const actions = { theme: switchTheme, help: showHelp };
const keys = {
  "/": { act: search, words: "search" },
  t: { act: switchTheme, words: "light, dark or automatic" },
  "?": { act: showHelp, words: "this help" },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const key = Object.hasOwn(keys, event.key) && keys[event.key];
  if (!key || (help?.open && event.key !== "?")) return;
  event.preventDefault();
  key.act();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (button) actions[button.dataset.action](button);
});

const title = one("h1");
const here = make("span", { className: "crumb bar-title", hidden: true },
  make("button", { onclick: () => scrollTo(0, 0) }, title.textContent));
one(".crumbs").append(here);
new IntersectionObserver((seen) => { here.hidden = seen.pop().isIntersecting || one(".named"); }).observe(title);

showTheme();

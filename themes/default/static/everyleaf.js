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

/* What shows of a place: inside closed folds, the outermost. */
function shownOf(place) {
  const fold = place.parentElement.closest("details:not([open])");
  return fold ? shownOf(fold) : place;
}

/* Keeps in its place what begins in sight, words first, while the page changes. */
function hold(change) {
  const top = one(".bar").offsetHeight;
  const area = (it) => shownOf(it).getBoundingClientRect();
  const seen = [];
  for (let y = top + 50; y < innerHeight; y += 9) {
    const it = document.elementFromPoint(innerWidth / 2, y)?.closest(".entry:not(.notice), .fork, .row, .work");
    if (it) seen.push([it, area(it).top]);
  }
  change();
  const begun = seen.filter(([, before]) => before > top);
  const words = begun.filter(([it, before]) => before < 280 && it.matches(".prompt, .reply"));
  const [read, before] = [...words, ...begun, ...seen].find(([it]) => area(it).height) || [];
  if (read && scrollY) settle(() => {
    const now = area(read);
    scrollBy(0, now.top - (before + now.height > top ? before : top));
  });
}

function unfoldAll() {
  const folds = all("main details");
  const unfolded = folds.some((fold) => !fold.open);
  hold(() => {
    root.classList.toggle("unfolded", unfolded);
    settle(() => root.classList.toggle("fresh"), 2);  // On, then off.
    folds.forEach((fold) => { fold.open = unfolded; });
    all(".long").forEach((entry) => entry.classList.toggle("whole", unfolded));
  });
  const button = one("[data-action='unfold']");
  if (button) button.textContent = unfolded ? "Fold all" : "Unfold all";
  say(unfolded ? "All parts unfolded" : "All parts folded");
}

/* Opens the folds that a place is in, and words that are cut if it is to be `whole`. */
function open(place, whole = true) {
  for (let at = place; at; at = at.parentElement) {
    if (at.tagName === "DETAILS" && at.id !== "outline") at.open = true;
    if (whole && at.matches(".long")) at.classList.add("whole");
  }
}

let aim;
function reveal(id, whole) {
  const target = id && document.getElementById(id);
  if (!target) return;
  open(aim = target, whole);
  open(one(":scope > details", target));
  settle(() => aim.scrollIntoView());
}

/* What comes into sight is only then as tall as it is. */
function settle(show, times = 3) {
  show();
  if (times > 1) requestAnimationFrame(() => requestAnimationFrame(() => settle(show, times - 1)));
}

function copy(text, done) {
  const succeed = () => { done(); say("Copied"); };
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).then(succeed, () => say("Copying failed"));
    return;
  }
  const area = make("textarea", { value: text, className: "hidden" });
  document.body.append(area);
  area.select();
  if (document.execCommand("copy")) succeed();
  area.remove();
}

function watchCode() {
  const observer = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
      const block = entry.target;
      observer.unobserve(block);
      const scrolls = block.scrollWidth > block.clientWidth;
      if (scrolls) block.tabIndex = 0;
      const tool = (textContent, onclick) => make("button", { type: "button", className: "copy tool-button", textContent, onclick });
      const wrap = tool("Wrap", () => { wrap.ariaPressed = block.parentNode.classList.toggle("wrapped"); });
      const copier = tool("Copy", () => copy(one("code", block).textContent, () => {
        copier.textContent = "Copied";
        setTimeout(() => { copier.textContent = "Copy"; }, 1500);
      }));
      wrap.ariaPressed = "false";
      block.after(make("div", { className: "code-tools" }, ...(scrolls ? [wrap] : []), copier));
    });
  });
  /* At once: what was found in a block that moves is lost. */
  all("pre.code").forEach((block) => {
    const box = make("div", { className: "code-box" });
    block.before(box);
    box.append(block);
    observer.observe(block);
  });
  /* On a phone nearly every block scrolls: none is measured. */
  if (matchMedia("(max-width: 40rem)").matches) all(".code").forEach((block) => { block.tabIndex = 0; });
}

let help;

function showHelp() {
  if (!help) {
    const list = make("dl", {});
    Object.entries(keys).forEach(([key, { words }]) => {
      list.append(make("dt", {}, make("kbd", { textContent: key })), make("dd", { textContent: words }));
    });
    help = make("dialog", { ariaLabel: "Keyboard shortcuts" },
      make("h2", { textContent: "Keyboard shortcuts" }), list,
      make("button", { type: "button", className: "tool-button", textContent: "Close", onclick: () => help.close() }));
    document.body.append(help);
  }
  if (help.open) help.close();
  else help.showModal();
}

function search() {
  const field = one("input[type='search']");
  const page = location.protocol !== "file:" && one(".to-search");
  if (page) page.click();
  else if (field) field.focus();
  else location.href = one(".brand").href + "#search";
}

const actions = { theme: switchTheme, unfold: unfoldAll, help: showHelp };
const keys = {
  e: { act: unfoldAll, words: "unfold or fold everything" },
  "/": { act: search, words: "search" },
  t: { act: switchTheme, words: "light, dark or automatic" },
  "?": { act: showHelp, words: "this help" },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const key = Object.hasOwn(keys, event.key) && keys[event.key];
  if (!key || (help && help.open && event.key !== "?")) return;
  event.preventDefault();
  key.act();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  const permalink = event.target.closest(".permalink");
  if (button) actions[button.dataset.action](button);
  else if (permalink) {
    event.preventDefault();
    history.replaceState(null, "", permalink.hash);
    copy(permalink.href, () => {
      permalink.dataset.said = "copied";
      setTimeout(() => { delete permalink.dataset.said; }, 1500);
    });
  }
});

const follow = () => { if (!location.hash.startsWith("#/")) reveal(decodeURIComponent(location.hash.slice(1))); };
addEventListener("hashchange", follow);

const title = one("h1");
const here = make("span", { className: "crumb bar-title", hidden: true },
  make("button", { type: "button", textContent: title.textContent, onclick: () => scrollTo(0, 0) }));
one(".crumbs").append(here);
new IntersectionObserver((seen) => { here.hidden = seen.pop().isIntersecting || one(".named"); }).observe(title);

showTheme();
watchCode();
if (location.hash) follow();

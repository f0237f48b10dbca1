/* What needs a script: light and dark, outline, keyboard, filters, copying. A classic script,
   since modules do not load from file:. Everything else works without it. */
(function () {
  "use strict";

  const root = document.documentElement;
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const one = (selector) => document.querySelector(selector);

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  /* What was done, said to people who do not see it. */
  const said = make("p", { className: "hidden" });
  said.setAttribute("role", "status");
  document.body.append(said);
  const say = (words) => { said.textContent = words; };

  /* Light and dark */
  const THEMES = ["auto", "light", "dark"];
  const THEME_WORDS = { auto: "Auto", light: "Light", dark: "Dark" };

  function showTheme() {
    const words = THEME_WORDS[root.dataset.theme || "auto"];
    all(".theme-name").forEach((name) => { name.textContent = words; });
    all(".theme-switch").forEach((button) => {
      button.setAttribute("aria-label", "Colours: " + words);
    });
  }

  function switchTheme() {
    const now = root.dataset.theme || "auto";
    const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      if (next === "auto") localStorage.removeItem("everyleaf-theme");
      else localStorage.setItem("everyleaf-theme", next);
    } catch (error) {
      /* Storage is forbidden here: the choice holds for this page. */
    }
    showTheme();
  }

  /* Folds */
  function unfoldAll() {
    const folds = all("main details");
    const open = folds.some((fold) => !fold.open);
    folds.forEach((fold) => { fold.open = open; });
    all("[data-action='unfold']").forEach((button) => {
      button.textContent = open ? "Fold all" : "Unfold all";
    });
    say(open ? "All parts unfolded" : "All parts folded");
  }

  function reveal(id) {
    const target = id && document.getElementById(id);
    if (!target) return;
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS" && at.id !== "outline") at.open = true;
    }
    target.scrollIntoView();
  }

  /* Filters: the address says which kinds of entries are hidden, as #/hide=tool,thinking */
  const hidden = () => (root.dataset.hide || "").split(" ").filter(Boolean);

  function showFilters(kinds) {
    root.dataset.hide = kinds.join(" ");
    all("[data-filter]").forEach((button) => {
      button.setAttribute("aria-pressed", String(!kinds.includes(button.dataset.filter)));
    });
  }

  function toggleFilter(kind) {
    const kinds = hidden().includes(kind)
      ? hidden().filter((other) => other !== kind)
      : hidden().concat(kind).sort();
    showFilters(kinds);
    const address = kinds.length ? "#/hide=" + kinds.join(",") : location.pathname + location.search;
    history.replaceState(null, "", address);
  }

  function followAddress() {
    const hash = decodeURIComponent(location.hash.slice(1));
    if (hash.startsWith("/")) {
      const query = new URLSearchParams(hash.slice(1));
      const known = all("[data-filter]").map((button) => button.dataset.filter);
      const wanted = (query.get("hide") || "").split(",");
      showFilters(wanted.filter((kind) => known.includes(kind)));
      reveal(query.get("at"));
    } else {
      reveal(hash);
    }
  }

  /* Outline: the turn in view decides which line is current */
  const links = all(".outline-list a");
  let current = -1;

  function mark(index) {
    if (index === current) return;
    if (links[current]) links[current].removeAttribute("aria-current");
    current = index;
    const link = links[current];
    if (!link) return;
    link.setAttribute("aria-current", "true");
    const box = one(".outline-box");
    if (box.scrollHeight > box.clientHeight) {
      const top = link.offsetTop - box.offsetTop;
      if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) {
        box.scrollTop = top - box.clientHeight / 2;
      }
    }
  }

  function watchOutline() {
    if (!links.length || !("IntersectionObserver" in window)) return;
    const placeOf = links.map((link) => {
      const target = document.getElementById(link.hash.slice(1));
      return target && (target.closest(".turn") || target);
    });
    const places = all("#conversation > *");
    const lineOf = new Map();
    let last = -1;
    places.forEach((place) => {
      const first = placeOf.indexOf(place);
      lineOf.set(place, first < 0 ? last : first);
      last = Math.max(last, placeOf.lastIndexOf(place));
    });
    const observer = new IntersectionObserver((entries) => {
      entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
        if (placeOf[current] !== entry.target) mark(lineOf.get(entry.target));
      });
    }, { rootMargin: "-15% 0px -80% 0px" });
    places.forEach((place) => observer.observe(place));
  }

  function stepPrompt(step) {
    const prompts = links.filter((link) => link.parentElement.className === "to-prompt");
    let at = prompts.indexOf(links[current]);
    if (at < 0) at = prompts.filter((link) => links.indexOf(link) < current).length - (step > 0 ? 1 : 0);
    const link = prompts[at + step];
    const target = link && document.getElementById(link.hash.slice(1));
    if (!target) return;
    history.replaceState(null, "", link.hash);
    target.tabIndex = -1;
    target.scrollIntoView();
    target.focus({ preventScroll: true });
    mark(links.indexOf(link));
  }

  /* Copying */
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
    if (!("IntersectionObserver" in window)) return;
    const observer = new IntersectionObserver((entries) => {
      entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
        observer.unobserve(entry.target);
        const block = entry.target.querySelector("pre");
        if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
        const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
        button.addEventListener("click", () => {
          copy(entry.target.querySelector("code").textContent, () => {
            button.textContent = "Copied";
            setTimeout(() => { button.textContent = "Copy"; }, 1500);
          });
        });
        entry.target.append(button);
      });
    });
    all(".code-box").forEach((box) => observer.observe(box));
    /* On a phone nearly every block scrolls: all can be reached, without measuring each. */
    if (matchMedia("(max-width: 40rem)").matches) all(".code").forEach((block) => { block.tabIndex = 0; });
  }

  /* Help */
  const KEYS = [
    ["j, k", "next, previous prompt"],
    ["[, ]", "previous, next path"],
    ["e", "unfold or fold everything"],
    ["/", "search"],
    ["t", "light, dark or automatic"],
    ["?", "this help"],
  ];
  let help;

  function showHelp() {
    if (!help) {
      const title = make("h2", { id: "help-title", textContent: "Keyboard shortcuts" });
      const list = make("dl", {});
      KEYS.forEach(([keys, words]) => {
        const names = keys.split(", ").map((key) => make("kbd", { textContent: key }));
        const term = make("dt", {}, names[0]);
        names.slice(1).forEach((name) => term.append(" ", name));
        list.append(term, make("dd", { textContent: words }));
      });
      const close = make("button", { type: "button", className: "tool-button", textContent: "Close" });
      help = make("dialog", {}, title, list, close);
      help.setAttribute("aria-labelledby", "help-title");
      close.addEventListener("click", () => help.close());
      document.body.append(help);
    }
    if (help.open) help.close();
    else help.showModal();
  }

  function search() {
    const field = one("input[type='search']");
    if (field) field.focus();
    else location.href = one(".brand").href + "#search";
  }

  function followLink(relation) {
    const link = one(".path-nav a[rel='" + relation + "']");
    if (link) location.href = link.href;
  }

  const ACTIONS = { theme: switchTheme, unfold: unfoldAll, help: showHelp };
  const ON_KEY = {
    j: () => stepPrompt(1),
    k: () => stepPrompt(-1),
    "[": () => followLink("prev"),
    "]": () => followLink("next"),
    e: unfoldAll,
    t: switchTheme,
    "/": search,
    "?": showHelp,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const act = ON_KEY[event.key];
    if (!act || (help && help.open && event.key !== "?")) return;
    event.preventDefault();
    act();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-action], [data-filter]");
    const permalink = event.target.closest(".permalink");
    if (button && button.dataset.filter) toggleFilter(button.dataset.filter);
    else if (button) ACTIONS[button.dataset.action]();
    else if (permalink) copy(permalink.href, () => { permalink.title = "Link copied"; });
  });

  const outline = one("#outline");
  if (outline && matchMedia("(min-width: 72rem)").matches) outline.open = true;

  showTheme();
  watchOutline();
  watchCode();
  addEventListener("hashchange", followAddress);
  if (location.hash) followAddress();
})();

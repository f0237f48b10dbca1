/* For transcripts: which kinds of entries show, the outline, steps from prompt to prompt and
   from path to path. */
(function () {
  "use strict";

  const { all, one, reveal, keys } = window.everyleaf;
  const root = document.documentElement;

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
    if (!location.hash.startsWith("#/")) return;
    const query = new URLSearchParams(location.hash.slice(2));
    const known = all("[data-filter]").map((button) => button.dataset.filter);
    const wanted = (query.get("hide") || "").split(",");
    showFilters(wanted.filter((kind) => known.includes(kind)));
    reveal(query.get("at"));
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
    const firstLine = new Map();
    const lastLine = new Map();
    placeOf.forEach((place, index) => {
      if (!firstLine.has(place)) firstLine.set(place, index);
      lastLine.set(place, index);
    });
    const places = all("#conversation > *");
    const lineOf = new Map();
    let last = -1;
    places.forEach((place) => {
      lineOf.set(place, firstLine.has(place) ? firstLine.get(place) : last);
      last = Math.max(last, lastLine.has(place) ? lastLine.get(place) : -1);
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

  function followLink(relation) {
    const link = one(".path-nav a[rel='" + relation + "']");
    if (link) location.href = link.href;
  }

  const further = {
    j: { act: () => stepPrompt(1), words: "next, previous prompt" },
    k: { act: () => stepPrompt(-1), words: "next, previous prompt" },
    "[": { act: () => followLink("prev"), words: "previous, next path" },
    "]": { act: () => followLink("next"), words: "previous, next path" },
  };
  const common = { ...keys };
  Object.keys(common).forEach((key) => delete keys[key]);
  Object.assign(keys, further, common);  // The help lists them in this order.

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-filter]");
    if (button) toggleFilter(button.dataset.filter);
  });

  const outline = one("#outline");
  if (outline && matchMedia("(min-width: 72rem)").matches) outline.open = true;

  watchOutline();
  addEventListener("hashchange", followAddress);
  followAddress();
})();

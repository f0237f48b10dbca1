/* For transcripts: folded work, filters, outline, map, steps from prompt to prompt, finding. */
(function () {
  "use strict";

  const { all, one, make, say, reveal, settle, keys, actions, hold } = window.everyleaf;
  const root = document.documentElement;
  const page = one("#conversation");

  /* Work: open where scripts do not run. Of a long conversation it is folded at first, else
     only long runs of calls are. */
  const works = all(".work");
  works.forEach((work) => { work.open = false; work.classList.add("seen"); });

  function showDigest(folded) {
    hold(() => works.forEach((work) => { work.open = !folded; }));
    all("[data-action='digest']").forEach((button) => {
      button.textContent = folded ? "Show all work" : "Digest";
    });
    say(folded ? "Work is folded" : "All work is shown");
  }
  actions.digest = () => showDigest(works.every((work) => work.open));

  /* What comes near is drawn before it is in sight, so that nothing there moves. */
  const near = new IntersectionObserver((seen) => seen.forEach((entry) => {
    entry.target.classList.toggle("near", entry.isIntersecting);
  }), { rootMargin: "1500px 0px" });
  all(".turn").forEach((turn) => near.observe(turn));

  /* Filters: the address says which kinds of entries are hidden, as #/hide=tool,thinking */
  const hidden = () => (root.dataset.hide || "").split(" ").filter(Boolean);

  function showFilters(kinds) {
    root.dataset.hide = kinds.join(" ");
    all("[data-filter]").forEach((button) => {
      button.ariaChecked = !kinds.includes(button.dataset.filter);
    });
  }

  function toggleFilter(kind) {
    const kinds = hidden().includes(kind)
      ? hidden().filter((other) => other !== kind)
      : hidden().concat(kind).sort();
    hold(() => showFilters(kinds));
    const address = kinds.length ? "#/hide=" + kinds.join(",") : location.pathname + location.search;
    history.replaceState(null, "", address);
  }

  const COUNTED = { tool: ".tool:not(.personal)", notice: ".notice, .rewritten" };
  all("[data-filter]").forEach((button) => {
    const count = all(COUNTED[button.dataset.filter] || "." + button.dataset.filter, page).length;
    one(".count", button).textContent = count.toLocaleString("en");
    button.hidden = !count;
  });

  /* What every entry would repeat. */
  all(".permalink").forEach((link) => { link.ariaLabel = "Link to this message"; });
  page.addEventListener("pointerover", ({ target }) => {
    const it = target.closest("time, .permalink");
    if (it) it.title = it.dateTime ? it.dateTime.slice(0, 16).replace("T", " ") + " UTC" : "Copy a link to this message";
  });
  function nameSides(fold) {
    all(".asked, .answered", fold).forEach((side) => {
      side.role = "group";
      side.ariaLabel = side.className === "asked" ? "Input" : "Result";
    });
  }
  page.addEventListener("toggle", ({ target }) => nameSides(target), true);
  all(".tool[open]").forEach(nameSides);

  actions.print = () => {
    const before = hidden();
    showFilters(["notice", "thinking", "tool"]);
    print();
    showFilters(before);
  };

  function followAddress() {
    if (!location.hash.startsWith("#/")) return;
    const query = new URLSearchParams(location.hash.slice(2));
    const known = all("[data-filter]").map((button) => button.dataset.filter);
    const wanted = (query.get("hide") || "").split(",");
    showFilters(wanted.filter((kind) => known.includes(kind)));
    reveal(query.get("at"));
    if (query.get("find")) find(query.get("find"), query.get("at"));
  }

  /* Where one is: the last line of the outline whose place has passed the top of the window */
  const links = all(".outline-list li:not([hidden]) a");
  const places = links.map((link) => document.getElementById(link.hash.slice(1)));
  const prompts = links.filter((link) => link.parentElement.className === "to-prompt");
  const box = one(".outline-box");
  let current = -1;
  let chosen = -1;
  let chosenAt = 0;

  /* Inside closed folds, the outermost is what shows. */
  const shownTop = (place) => {
    let shown = place;
    for (let at = place; at !== page && at; at = at.parentElement) {
      if (at.tagName === "DETAILS" && !at.open) shown = at;
    }
    /* Of what is not drawn, only the turn: to ask for more would draw it. */
    return (shown.closest(".turn:not(.near)") || shown).getBoundingClientRect().top;
  };

  function indexNow() {
    const line = innerHeight * 0.25 + 48;
    let low = -1;
    let high = places.length;
    while (high - low > 1) {  // They stand in page order.
      const middle = (low + high) >> 1;
      if (places[middle] && shownTop(places[middle]) > line) high = middle;
      else low = middle;
    }
    return low;
  }

  function mark(index) {
    if (index === current) return;
    if (links[current]) links[current].ariaCurrent = null;
    current = index;
    const link = links[current];
    if (link) {
      link.ariaCurrent = "true";
      if (box.scrollHeight > box.clientHeight) {
        const top = link.getBoundingClientRect().top - box.getBoundingClientRect().top;
        if (top < 40 || top > box.clientHeight - 60) box.scrollTop += top - box.clientHeight / 2;
      }
    }
    showPlace();
  }

  /* A place that was asked for is where one is, even if the page is too short to scroll there. */
  function choose(index) {
    chosen = index;
    chosenAt = scrollY;
    mark(index);
  }

  function chooseAddress() {
    const at = links.findIndex((link) => link.hash === location.hash);
    if (at >= 0) requestAnimationFrame(() => choose(at));
  }

  let waiting = false;
  function look() {
    waiting = false;
    if (chosen >= 0 && Math.abs(scrollY - chosenAt) < 40) mark(chosen);
    else {
      chosen = -1;
      mark(indexNow());
    }
    moveHere();
  }
  addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(look);
    waiting = true;
  }, { passive: true });

  function promptNow() {
    return prompts.filter((link) => links.indexOf(link) <= current).length;
  }

  function go(link) {
    if (!link) return;
    history.replaceState(null, "", link.hash);
    reveal(link.hash.slice(1));
    const target = document.getElementById(link.hash.slice(1));
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    choose(links.indexOf(link));
  }

  const stepPrompt = (step) => {
    const now = promptNow();
    const isOn = prompts[now - 1] === links[current];
    go(prompts[step > 0 ? now : now - (isOn ? 2 : 1)]);
  };

  /* The bar: what page this is once its title has gone; on a phone, a bar at the bottom */
  const title = one("h1");
  const bar = one(".bar .crumbs");
  const status = one(".page-head .status");
  const here = make("span", { className: "crumb bar-title", hidden: true });
  /* For who comes from a link to a message: who asked, and how it ended. */
  const end = all(".reply .prose", page).pop();
  const about = make("div", { className: "about", popover: "auto" },
    make("p", {}, make("b", { textContent: "Asked: " }), prompts[0] ? prompts[0].lastChild.textContent : "nothing"),
    make("p", {}, make("b", { textContent: "Ended: " }), end ? end.textContent.trim().slice(0, 280) : "without a reply"),
    make("a", { href: "#main", textContent: "To the top" }),
    ...all(".doors a").slice(0, 1).map((link) => link.cloneNode(true)));
  const top = make("button", { type: "button", textContent: title.textContent, title: "Who asked, and how it ended", popoverTargetElement: about });
  about.addEventListener("click", () => about.hidePopover());
  here.append(top, about);
  if (status) here.append(" ", status.cloneNode(true));
  bar.append(here);
  new IntersectionObserver(([entry]) => { here.hidden = entry.isIntersecting; }).observe(title);

  const steps = make("nav", { className: "steps", ariaLabel: "Prompts" });
  const button = (text, label, act) =>
    make("button", { type: "button", className: "tool-button", textContent: text, ariaLabel: label, onclick: act });
  const where = button("", null, () => showOutline(!root.classList.contains("outlined")));
  if (prompts.length) {
    steps.append(where);
    if (prompts[1]) {
      steps.prepend(button("‹", "Previous prompt", () => stepPrompt(-1)));
      steps.append(button("›", "Next prompt", () => stepPrompt(1)));
    }
    document.body.append(steps);
    /* There the outline opens from below, with what else one can do to the page. */
    const views = one(".views"), narrow = matchMedia("(max-width: 40rem)");
    const home = views.parentNode;
    const move = () => (narrow.matches ? one(".outline-body") : home).prepend(views);
    narrow.addEventListener("change", move);
    move();
  }

  function showPlace() {
    where.textContent = `Prompt ${Math.max(promptNow(), 1)} of ${prompts.length}`;
  }

  function showOutline(shown) {
    root.classList.toggle("outlined", shown);
    where.ariaExpanded = shown;
    if (shown) {
      one("#outline").open = true;
      (links[current] || links[0]).focus();
    }
  }
  if (box) box.addEventListener("click", (event) => {
    const to = event.target.closest("a, [data-action]");
    if (!to) return;
    showOutline(false);
    if (to.hash) {
      event.preventDefault();
      go(to);
    }
  });

  /* Map: the outline again, for those who point, so it is nothing to tab through. */
  const strip = make("div", { className: "map", ariaHidden: "true" });
  const pointer = make("span", { className: "here" });
  const marked = all(".outline-list a");
  function drawMap() {
    const last = marked.length - 1;
    marked.forEach((link, at) => {
      const tick = make("span", { className: link.parentElement.className, title: link.textContent.trim() });
      tick.style.top = (100 * at) / Math.max(last, 1) + "%";
      strip.append(tick);
    });
    strip.append(pointer);
    strip.addEventListener("click", (event) => {
      const area = strip.getBoundingClientRect();
      const at = Math.round(((event.clientY - area.top) / area.height) * last);
      const link = marked[Math.min(Math.max(at, 0), last)];
      if (links.includes(link)) go(link);
      else reveal(link.hash.slice(1));
    });
    document.body.append(strip);
  }
  function moveHere() {
    const at = Math.max(marked.indexOf(links[current]), 0);
    pointer.style.top = (100 * at) / Math.max(marked.length - 1, 1) + "%";
  }
  if (marked.length > 4) drawMap();

  /* Find on this page: matches are painted, not wrapped, so that nothing moves */
  let field;
  let finder;
  let count;
  let matches = [];
  let at = -1;
  const MOST = 5000;
  const KINDS = { prompt: "prompt", reply: "reply", thinking: "thinking", personal: "answer", tool: "tool call", notice: "notice", compaction: "compaction", rewritten: "notice" };

  function openFinder() {
    if (!finder) {
      field = make("input", { type: "search", placeholder: "Find in this conversation", ariaLabel: "Find in this conversation" });
      count = make("span", { className: "found", role: "status" });
      finder = make("search", { className: "finder" }, field, count,
        button("↑", "Previous match", () => stepMatch(-1)),
        button("↓", "Next match", () => stepMatch(1)),
        button("×", "Close", closeFinder));
      const archive = one(".to-search");
      if (archive) finder.append(make("a", { href: archive.href, textContent: "Search all sessions" }));
      let timer;
      field.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(() => find(field.value), 120);
      });
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") stepMatch(event.shiftKey ? -1 : 1);
        if (event.key === "Escape") closeFinder();
      });
      document.body.append(finder);
    }
    finder.hidden = false;
    field.focus();
    field.select();
  }

  function closeFinder() {
    finder.hidden = true;
    matches = [];
    paint();
  }

  function find(words, from) {
    openFinder();
    if (field.value !== words) field.value = words;
    const wanted = words.trim().toLowerCase();
    matches = [];
    at = -1;
    if (wanted) {
      const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && matches.length < MOST; node = walker.nextNode()) {
        const text = node.parentNode.className === "hidden" ? "" : node.data.toLowerCase();
        for (let place = text.indexOf(wanted); place >= 0; place = text.indexOf(wanted, place + wanted.length)) {
          const range = new Range();
          range.setStart(node, place);
          range.setEnd(node, Math.min(place + wanted.length, node.length));
          matches.push(range);
        }
      }
    }
    const start = from && document.getElementById(from);
    const first = matches.findIndex((range) => start
      ? start.contains(range.startContainer)
        || start.compareDocumentPosition(range.startContainer) & Node.DOCUMENT_POSITION_FOLLOWING
      : shownTop(range.startContainer.parentElement) > 0);
    paint();
    if (matches.length) stepMatch(1, Math.max(first, 0) - 1);
    else count.textContent = wanted && "nothing found";
  }

  function stepMatch(step, start = at) {
    if (!matches.length) return;
    at = (start + step + matches.length) % matches.length;
    const element = matches[at].startContainer.parentElement;
    for (let above = element; above; above = above.parentElement) {
      if (above.tagName === "DETAILS") above.open = true;
    }
    const entry = element.closest(".entry");
    const kind = entry && Object.keys(KINDS).find((name) => entry.classList.contains(name));
    const total = Math.min(matches.length, MOST).toLocaleString("en") + (matches.length < MOST ? "" : "+");
    count.textContent = `${at + 1} of ${total}` + (kind ? " · " + KINDS[kind] : "");
    /* The word, not its block, which may be longer than the window. */
    const range = matches[at];
    const area = () => range.getBoundingClientRect();
    const code = element.closest(".code");
    settle(() => {
      element.scrollIntoView();
      if (code) code.scrollLeft += area().left - innerWidth / 2;
      if (area().height) scrollBy(0, area().top - innerHeight / 2);
    });
    paint();
  }

  function paint() {
    if (!window.Highlight) return;
    CSS.highlights.set("found", new Highlight(...matches.slice(0, MOST)));
    CSS.highlights.set("found-now", new Highlight(...matches.slice(at, at + 1)));
  }
  actions.find = openFinder;
  keys["/"] = { act: openFinder, words: "find in this conversation" };

  function followLink(relation) {
    one(`.path-nav a[rel='${relation}']`)?.click();
  }

  const further = {
    j: { act: () => stepPrompt(1), words: "next, previous prompt" },
    k: { act: () => stepPrompt(-1), words: "next, previous prompt" },
    ...(one(".path-nav") && {
      "[": { act: () => followLink("prev"), words: "previous, next path" },
      "]": { act: () => followLink("next"), words: "previous, next path" },
    }),
    d: { act: actions.digest, words: "fold or show the work between prompts" },
  };
  const common = { ...keys };
  Object.keys(common).forEach((key) => delete keys[key]);
  Object.assign(keys, further, common);  // The help lists them in this order.

  document.addEventListener("click", (event) => {
    const filter = event.target.closest("[data-filter]");
    if (filter) toggleFilter(filter.dataset.filter);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") showOutline(false);
  });

  const outline = one("#outline");
  if (outline && matchMedia("(min-width: 72rem)").matches) outline.open = true;

  addEventListener("hashchange", () => { followAddress(); chooseAddress(); });
  followAddress();
  look();
  showPlace();
  chooseAddress();
  if (location.hash) reveal(location.hash.slice(1));
})();

(function () {
  "use strict";

  const { all, one, make, say, open, reveal, settle, keys, actions, hold, shownOf, here } = window.everyleaf;
  const root = document.documentElement;
  const page = one("#conversation");

  /* Work: open where scripts do not run. */
  const works = all(".work");
  works.forEach((work) => { work.open = false; work.classList.add("seen"); });

  const digest = one("[data-action='digest']");
  const isDigest = () => works.some((work) => !work.open);
  actions.digest = () => {
    const shown = isDigest();
    hold(() => works.forEach((work) => { work.open = shown; }));
    say(shown ? "All work is shown" : "Work is folded");
  };

  /* Long words: their beginning, and a button. What leads into the rest scrolls what is cut. */
  all(".brief > .turn > .long").forEach((entry) => {
    const widen = () => open(entry);
    entry.append(make("button", { type: "button", className: "more", textContent: "Show all", onclick: widen }));
    entry.addEventListener("scroll", () => {
      const top = entry.scrollTop;
      entry.scrollTop = 0;
      widen();
      scrollBy(0, top);
    });
  });

  /* What comes near is drawn before it is in sight, so that nothing there moves. */
  const near = new IntersectionObserver((seen) => seen.forEach((entry) => {
    entry.target.classList.toggle("near", entry.isIntersecting);
  }), { rootMargin: "1500px 0px" });
  all(".turn").forEach((turn) => {
    const [, tall, unfolded] = turn.className.match(/t(\d+) u(\d+)/);
    turn.style = `--tall: ${tall}rem; --unfolded: ${unfolded}rem`;
    near.observe(turn);
  });

  /* Filters: the address says what is hidden: #/hide=tool,thinking */
  const COUNTED = { tool: ".tool:not(.personal)", notice: ".notice, .rewritten" };
  const entriesOf = (kind) => COUNTED[kind] || "." + kind;
  let hidden = [];

  function showFilters(kinds) {
    hidden = kinds;
    root.dataset.hide = kinds.join(" ");
    said = "";
    all("[data-filter]").forEach((button) => {
      button.ariaChecked = !kinds.includes(button.dataset.filter);
    });
  }

  actions.filter = ({ dataset: { filter: kind } }) => {
    const kinds = hidden.filter((other) => other !== kind);
    if (kinds.length === hidden.length) kinds.push(kind);
    hold(() => showFilters(kinds));
    const address = kinds.length ? "#/hide=" + kinds.sort().join(",") : location.pathname + location.search;
    history.replaceState(null, "", address);
  };

  all("[data-filter]").forEach((button) => {
    const count = all(entriesOf(button.dataset.filter), page).length;
    one(".count", button).textContent = count.toLocaleString("en");
    if (!count) button.style = "visibility: hidden; order: 1";  // So nothing moves.
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
  page.addEventListener("toggle", ({ target }) => {
    nameSides(target);
    if (digest) digest.textContent = isDigest() ? "Show all work" : "Digest";
  }, true);
  all(".tool[open]").forEach(nameSides);

  actions.print = () => {
    const kinds = hidden;
    showFilters(["notice", "thinking", "tool"]);
    print();
    showFilters(kinds);
  };

  function followAddress() {
    if (!location.hash.startsWith("#/")) return;
    const query = new URLSearchParams(location.hash.slice(2));
    const wanted = (query.get("hide") || "").split(",");
    showFilters(all("[data-filter]").map((button) => button.dataset.filter).filter((kind) => wanted.includes(kind)));
    reveal(query.get("at"));
    if (query.get("find")) find(query.get("find"), query.get("at"));
  }

  /* Where one is: the last line of the outline that has passed the top of the window */
  const links = all(".outline-list li:not([hidden]) a");
  const placeOf = (link) => document.getElementById(link.hash.slice(1));
  const places = links.map(placeOf);
  const prompts = links.filter((link) => link.parentElement.className === "to-prompt");
  const outline = one("#outline");
  let current = -2;
  let chosen = -1;
  let chosenAt = 0;

  const shownTop = (place) => {
    const shown = shownOf(place);
    /* Of what is not drawn, only the turn: to ask for more would draw it. */
    return (shown.closest(".turn:not(.near)") || shown).getBoundingClientRect().top;
  };

  /* How many of `count` things in page order come before the first that `is`. */
  function before(count, is) {
    let low = -1;
    let high = count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (is(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  function indexNow() {
    let at = (scrollY && innerHeight + scrollY > root.scrollHeight - 9 ? places.length
      : before(places.length, (it) => places[it] && shownTop(places[it]) > innerHeight * 0.25 + 48)) - 1;
    while (places[at] && shownOf(places[at]) !== places[at]) at--;
    return at;
  }

  const lineNow = () => links[Math.max(current, 0)];
  function mark(index) {
    if (index === current) return;
    if (lineNow()) lineNow().ariaCurrent = null;
    current = index;
    const link = lineNow();
    if (link) {
      link.ariaCurrent = "true";
      const height = outline.clientHeight;
      const top = link.getBoundingClientRect().top - outline.getBoundingClientRect().top;
      if (top < 40 || top > height - 60) outline.scrollTop += top - height / 2;
    }
    showPlace();
  }

  function choose(index) {
    chosen = index;
    chosenAt = NaN;
    setTimeout(() => { chosenAt = scrollY; }, 500);
    mark(index);
  }

  function chooseAddress() {
    const aim = document.getElementById(location.hash.slice(1));
    if (aim) settle(() => choose(before(places.length, (at) => aim.compareDocumentPosition(places[at]) & 4) - 1));
  }

  let waiting = false;
  function look() {
    waiting = false;
    if (chosen >= 0 && !(Math.abs(scrollY - chosenAt) > 40)) mark(chosen);
    else {
      chosen = -1;
      mark(indexNow());
    }
    moveHere();
    if (Math.abs(scrollY - toldAt) > 200) tell(false);
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
    const target = placeOf(link);
    reveal(target.id, false);
    if (!target.getClientRects().length) showFilters([]);
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
    choose(links.indexOf(link));
  }

  const stepPrompt = (step, least = 0) => {
    const now = Math.max(promptNow(), least);
    const isOn = prompts[now - 1] === links[current];
    go(prompts[step > 0 ? now : now - (isOn ? 2 : 1)]);
  };

  here.append(" ", one(".page-head .status")?.cloneNode(true) || "");
  Object.assign(one("button", here), { title: "Who asked, and how it ended", onclick: () => tell(about.hidden) });

  const about = one(".about");
  const asked = one("a", about);
  let toldAt = NaN;
  open(all(".reply[id]", page).pop());
  function tell(shown) {
    const number = Math.max(promptNow(), 1);
    const link = prompts[number - 1];
    about.hidden = !shown;
    if (link) {
      asked.href = link.hash;
      const at = one("time", placeOf(link));
      asked.textContent = `${number}${at ? " · " + at.textContent : ""} · ${link.lastChild.textContent}`;
    }
    root.style = shown ? `--top: ${about.getBoundingClientRect().bottom}px` : "";
    toldAt = NaN;
    if (shown) setTimeout(() => { toldAt = scrollY; }, 500);
  }
  about.addEventListener("click", () => tell(false));

  const where = one(".steps [data-action='outline']");
  const word = where.textContent.split(" ")[0];
  Object.assign(actions, {
    back: () => stepPrompt(-1),
    next: () => stepPrompt(1, 1),
    outline: () => showOutline(!root.classList.contains("outlined")),
  });

  function showPlace() {
    if (prompts[1]) where.textContent = `${word} ${Math.max(promptNow(), 1)} of ${prompts.length}`;
  }

  function showOutline(shown) {
    if (root.classList.toggle("outlined", shown)) {
      tell(false);
      outline.open = true;
      (lineNow() || outline.firstChild).focus();
    } else if (where.ariaExpanded === "true") where.focus();
    where.ariaExpanded = shown;
  }
  one(".outline-box").addEventListener("click", (event) => {
    const to = event.target.closest("a, [data-action]:not(.shut)");
    if (!to) return;
    showOutline(false);
    if (to.hash) {
      event.preventDefault();
      go(to);
    }
  });

  const marked = all(".outline-list a");
  const last = Math.max(marked.length - 1, 1);
  const put = (mark, at) => {
    mark.style.top = (100 * at) / last + "%";
    return mark;
  };
  const pointer = make("span", { className: "here" });
  const moveHere = () => put(pointer, marked.indexOf(lineNow()));
  const strip = make("div", { className: "map", ariaHidden: "true" },
    ...marked.map((link, at) => put(make("span", { className: link.parentElement.className, title: link.textContent.trim() }), at)),
    pointer);
  strip.addEventListener("click", (event) => {
    const area = strip.getBoundingClientRect();
    const at = Math.round(((event.clientY - area.top) / area.height) * last);
    go(marked[at]);
  });
  if (marked.length > 4) document.body.append(strip);

  /* Find: painted, so that nothing moves; in one text, as words go across pieces of a block. */
  const finder = one(".finder");
  const field = one("input", finder);
  const count = one(".found", finder);
  const INLINE = ":not(a, b, code, del, em, i, ins, s, span, strong, time)";
  const KINDS = { tool: "tool call", rewritten: "notice" };  // Others: as their class.
  let said = "";
  let pieces;
  let starts;
  let matches = [];
  let at = -1;
  let opener, timer;

  function readPage() {
    const left = [".hidden, .permalink, .to-file, .to-agent, button", ...hidden.map(entriesOf)].join();
    const walker = document.createTreeWalker(page, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
      (node) => (node.data === undefined && node.matches(left) ? 2 : 1));  // 2: nor what is in it
    let last;
    pieces = [];
    starts = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.tagName === "BR") said += " ";
      if (node.data === undefined) continue;
      const block = node.parentNode.closest(INLINE);
      const text = node.data.toLowerCase();
      if (block !== last) said += "\0";
      last = block;
      pieces.push(node);
      starts.push(said.length);
      said += (text.length === node.length ? text : node.data).replace(/\s/g, " ");
    }
  }

  function rangeOf(match) {
    const range = new Range();
    const end = match.index + match[0].length;
    const [from, to] = [match.index, end - 1].map((place) => before(starts.length, (it) => starts[it] > place) - 1);
    range.setStart(pieces[from], match.index - starts[from]);
    range.setEnd(pieces[to], end - starts[to]);
    return range;
  }

  function openFinder() {
    if (finder.hidden) opener = document.activeElement;
    finder.hidden = false;
    field.focus();
    field.select();
  }

  function closeFinder() {
    clearTimeout(timer);
    finder.hidden = true;
    matches = [];
    paint();
    opener?.focus({ preventScroll: true });
  }

  function find(words, from) {
    finder.hidden = false;
    if (field.value !== words) field.value = words;
    if (!said) readPage();
    const start = from && document.getElementById(from);
    const first = before(pieces.length, (it) => start
      ? start.compareDocumentPosition(pieces[it]) & Node.DOCUMENT_POSITION_FOLLOWING
      : shownTop(pieces[it].parentElement) > 0);
    const seek = (gap) => {
      const pattern = words.trim().toLowerCase().replace(/[^\w\s]/g, "\\$&").replace(/\s+/g, gap);
      matches = pattern ? [...said.matchAll(RegExp(pattern, "g"))] : [];
      at = before(matches.length, (it) => matches[it].index >= starts[first]) - 1;
      return matches[at + 1] && rangeOf(matches[at + 1]).startContainer;
    };
    const node = seek(" ");
    if (start && !start.contains(node)) seek("|");  // Words apart.
    if (matches.length) stepMatch(1);
    else {
      paint();
      count.textContent = words && `nothing found${one(".gap") ? " outside long outputs" : ""}`;
    }
  }

  function stepMatch(step) {
    if (!matches.length) return;
    at = (at + step + matches.length) % matches.length;
    const range = rangeOf(matches[at]);
    const element = range.startContainer.parentElement;
    open(element);
    const entry = element.closest(".entry");
    const kind = entry && (entry.matches(".personal") ? "answer" : KINDS[entry.classList[1]] || entry.classList[1]);
    count.textContent = `${at + 1} of ${matches.length.toLocaleString("en")}` + (kind ? " · " + kind : "");
    /* The word: its block may be long. */
    const area = () => range.getBoundingClientRect();
    const box = element.closest(".code-box");
    settle(() => {
      if (box && area().right > box.getBoundingClientRect().right) {
        one("[aria-pressed='false']", box)?.click();
        box.classList.add("wrapped");
      }
      element.scrollIntoView();
      if (area().height) scrollBy(0, area().top - innerHeight / 2);
    });
    paint();
  }

  function paint() {
    if (!window.Highlight) return;
    const near = matches.slice(Math.max(at - 1000, 0), at + 1000).map(rangeOf);
    CSS.highlights.set("found", new Highlight(...near));
    CSS.highlights.set("found-now", new Highlight(...matches.slice(at, at + 1).map(rangeOf)));
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => find(field.value), 120);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") stepMatch(event.shiftKey ? -1 : 1);
  });
  Object.assign(actions, { up: () => stepMatch(-1), down: () => stepMatch(1), close: closeFinder, find: openFinder });
  keys["/"] = { act: openFinder, words: "find in this conversation" };

  const follow = (relation) => () => one(`.path-nav a[rel='${relation}']`)?.click();
  Object.assign(keys, {
    j: { act: () => stepPrompt(1), words: "next prompt" },
    k: { act: actions.back, words: "previous prompt" },
    ...(one(".path-nav") && {
      "[": { act: follow("prev"), words: "previous path" },
      "]": { act: follow("next"), words: "next path" },
    }),
    d: { act: actions.digest, words: "fold or show the work between prompts" },
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    showOutline(false);
    tell(false);
    if (finder.hidden) return;
    event.preventDefault();  // Else it empties the field.
    closeFinder();
  });

  outline.open = matchMedia("(min-width: 72rem)").matches;

  addEventListener("hashchange", () => { followAddress(); chooseAddress(); });
  followAddress();
  look();
  showPlace();
  chooseAddress();
  const id = location.hash.split(/[#=]/).pop();
  if (/^m-[\w-]+$/.test(id)) {
    if (one("#" + id)) {
      reveal(location.hash.slice(1));
      settle(() => tell(true));
    } else one("h1").after(make("p", { className: "note warn", textContent: "The message that this link leads to is not on this page." }));
  }
})();

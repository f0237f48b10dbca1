"use strict";

const page = one("#conversation");
const byId = (id) => document.getElementById(id);

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

/* What leads into the rest scrolls what is cut. */
all(".brief > .turn > .long").forEach((entry) => {
  const widen = () => open(entry);
  entry.append(make("button", { className: "more", onclick: widen }, "Show all"));
  entry.onscroll = () => {
    const top = entry.scrollTop;
    entry.scrollTop = 0;
    widen();
    scrollBy(0, top);
  };
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

const COUNTED = { tool: ".tool:not(.personal)", notice: ".notice, .rewritten" };
const entriesOf = (kind) => COUNTED[kind] || "." + kind;
const filters = all("[data-filter]");
let hidden = [];

function showFilters(kinds) {
  hidden = kinds;
  root.dataset.hide = kinds.join(" ");
  said = "";
  filters.forEach((button) => {
    button.ariaChecked = !kinds.includes(button.dataset.filter);
  });
}

actions.filter = ({ dataset: { filter: kind } }) => {
  const kinds = hidden.filter((other) => other !== kind);
  if (kinds.length === hidden.length) kinds.push(kind);
  hold(() => showFilters(kinds));
  const address = kinds[0] ? "#/hide=" + kinds.sort().join(",") : location.pathname;
  history.replaceState(null, "", address);
};

filters.forEach((button) => {
  const count = all(entriesOf(button.dataset.filter), page).length;
  one(".count", button).textContent = count.toLocaleString("en");
  if (!count) button.style = "visibility: hidden; order: 1";
});

all(".permalink").forEach((link) => {
  link.ariaLabel = link.title = "Copy a link to this message";
  link.onclick = (event) => {
    event.preventDefault();
    history.replaceState(null, "", link.hash);
    copy(link.href, () => { link.dataset.said = "copied"; }, () => { delete link.dataset.said; });
  };
});
page.addEventListener("pointerover", ({ target }) => {
  const it = target.closest("time");
  if (it) it.title = it.dateTime.slice(0, 16).replace("T", " ") + " UTC";
});
if (digest) page.addEventListener("toggle", () => { digest.textContent = isDigest() ? "Show all work" : "Digest"; }, true);

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
  showFilters(filters.map((button) => button.dataset.filter).filter((kind) => wanted.includes(kind)));
  reveal(query.get("at"));
  if (query.get("find")) find(query.get("find"), query.get("at"));
}

const links = all(".outline-list li:not([hidden]) a");
const placeOf = (link) => byId(link.hash.slice(1));
const places = links.map(placeOf);
const prompts = links.filter((link) => link.parentElement.className === "to-prompt");
const outline = one("#outline");
let current = -2;
let chosen = -1;
let stoodAt = 0;

const shownTop = (place) => {
  const shown = shownOf(place);
  /* To ask for more would draw it. */
  return (shown.closest(".turn:not(.near)") || shown).getBoundingClientRect().top;
};

/* How many of `count` come before the first that `is`. */
function before(count, is) {
  let [low, high] = [-1, count];
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

function stay() {
  stoodAt = NaN;
  setTimeout(() => { stoodAt = scrollY; }, 500);
}

function choose(index) {
  chosen = index;
  stay();
  mark(index);
}

function chooseAddress() {
  const to = byId(location.hash.slice(1));
  if (to) settle(() => choose(before(places.length, (at) => places[at] && to.compareDocumentPosition(places[at]) & 4) - 1));
}

function look() {
  const moved = Math.abs(scrollY - stoodAt);
  if (moved > 40) chosen = -1;
  mark(chosen < 0 ? indexNow() : chosen);
  moveHere();
  if (moved > 200 && !about.hidden) tell(false);
}
addEventListener("scroll", look);

function promptNow(least = 1) {
  return Math.max(least, prompts.filter((link) => links.indexOf(link) <= current).length);
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
  const now = promptNow(least);
  const isOn = prompts[now - 1] === links[current];
  go(prompts[step > 0 ? now : now - (isOn ? 2 : 1)]);
};

const about = one(".about");
here.append(" ", one(".page-head .status")?.cloneNode(true) || "");
Object.assign(one("button", here), { title: about.ariaLabel, onclick: () => tell(about.hidden) });

const asked = one("a", about);
open(all(".reply[id]", page).pop());
function tell(shown) {
  const number = promptNow();
  const link = prompts[number - 1];
  about.hidden = !shown;
  if (link) {
    asked.href = link.hash;
    const at = one("time", placeOf(link));
    asked.textContent = `${number}${at ? " · " + at.textContent : ""} · ${link.lastChild.textContent}`;
  }
  root.style = shown ? `--top: ${about.getBoundingClientRect().bottom}px` : "";
  if (shown) stay();
}
about.onclick = () => tell(false);

const where = one(".steps [data-action='outline']");
Object.assign(actions, {
  back: () => stepPrompt(-1),
  next: () => stepPrompt(1, 1),
  outline: () => showOutline(!root.classList.contains("outlined")),
});

function showPlace() {
  if (prompts[1]) where.textContent = where.textContent.replace(/ .*|$/, ` ${promptNow()} of ${prompts.length}`);
}

function showOutline(shown) {
  if (root.classList.toggle("outlined", shown)) {
    tell(false);
    outline.open = true;
    (lineNow() || outline.firstChild).focus();
  } else if (where.ariaExpanded === "true") where.focus();
  where.ariaExpanded = shown;
}
one(".outline-box").onclick = (event) => {
  const to = event.target.closest("a, [data-action]:not(.shut)");
  if (!to) return;
  showOutline(false);
  if (to.hash) {
    event.preventDefault();
    go(to);
  }
};

const marked = all(".outline-list a");
const last = marked.length - 1 || 1;
const put = (mark, at) => Object.assign(mark, { style: `top: ${(100 * at) / last}%` });
const pointer = make("span", { className: "here" });
const moveHere = () => put(pointer, marked.indexOf(lineNow()));
const strip = make("div", { className: "map", ariaHidden: "true" },
  ...marked.map((link, at) => put(make("span", { className: link.parentElement.className, title: link.textContent.trim() }), at)),
  pointer);
strip.onclick = ({ clientY: y }) => go(marked[Math.round((y - strip.offsetTop) / strip.offsetHeight * last)]);
if (marked.length > 4) document.body.append(strip);

/* In one text: words go across pieces. */
const finder = one(".finder");
const field = one("input", finder);
const count = one(".found", finder);
const onward = one("a", finder);
const INLINE = ":not(a, b, code, del, em, i, ins, s, span, strong, time)";
const KINDS = { tool: "tool call", rewritten: "notice" };
let said = "";
const outputs = all(".gap a", page);
let matches = [];
let stops = matches;
let at, led, opener, pieces, starts, timer;

function readPage() {
  const left = [".hidden, .permalink, .to-file, .to-agent, button, span.target code", ...hidden.map(entriesOf)].join();
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => (node.data === undefined && node.matches(left) ? 2 : 1));  // 2: nor within
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
    said += (text.length === node.length ? text : node.data).replace(/\s/g, " ") + (node.parentNode.output || "");
  }
}

const pieceAt = (place) => before(starts.length, (it) => starts[it] > place) - 1;

function rangeOf(match) {
  const range = new Range();
  const end = match.index + match[0].length;
  const [from, to] = [match.index, end - 1].map(pieceAt);
  const first = match.index - starts[from];
  range.selectNode(pieces[from]);  // Whole, if in an output.
  if (first < pieces[from].length) {
    range.setStart(pieces[from], first);
    range.setEnd(pieces[to], end - starts[to]);
  }
  return range;
}

function openFinder() {
  if (finder.hidden) opener = document.activeElement;
  finder.hidden = false;
  paint();
  field.focus();
  field.select();
}

function closeFinder() {
  clearTimeout(timer);
  finder.hidden = true;
  CSS.highlights?.clear();
  opener?.focus({ preventScroll: true });
}

const allOf = (pattern) => [...said.matchAll(RegExp(pattern, "gu"))];
const literal = (words) => allOf(words.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&").replace(/\s+/g, "[ \\0]+"));

/* As search.js does: where all stands in a row, that alone, else its words. */
function seekMessages(words, start) {
  const placed = (some) => some.filter((it) => {
    const place = pieces[pieceAt(it.index)].parentElement;
    return it.of = !place.closest(".by") && (start.contains(place) ? start
      : place.closest(".prompt, .reply, .tool > summary, .tool:has(span.target code) .asked, .personal .answered > :not(.fold), .link")?.closest(".entry"));
  });
  const seek = (term) => {
    const [, sign, number] = /^"?(#?)(\d{1,4}|\d+(?:\.\d+)+)"?$/.exec(term) || [];
    return placed(allOf(number ? (sign ? "(?<=#|pull/|issues/)" : "(?<![\\d.])") + number.replaceAll(".", "\\.") + "(?!\\d)"
      : (term[3] ? "" : "(?<![\\p{L}\\p{N}])") + term.match(/[\p{L}\p{N}]+/gu).join("[^\\p{L}\\p{N}]*")));
  };
  const isHere = ({ of }) => of === start;
  const found = (words.match(/"[^"]+"|[^\s"/\\]+/g) || []).filter((term) => /[\p{L}\p{N}]/u.test(term)).map((term) => {
    const same = term[0] === '"' ? placed(literal(term.slice(1, -1).trim())) : [];
    return same.some(isHere) ? same : seek(term);
  });
  const entriesWith = (some) => new Set(some.map(({ of }) => of));
  const holders = found.map(entriesWith);
  const whole = ({ of }) => holders.every((some) => some.has(of));
  const rows = found[1] ? seek(words).filter(whole) : [];
  const inRow = entriesWith(rows);
  const flat = found.flat();
  const isWhole = flat.some((it) => isHere(it) && whole(it));
  matches = !flat.some(isHere) ? [] : flat.filter((it) => !inRow.has(it.of) && (whole(it) || !isWhole))
    .concat(rows).sort((a, b) => a.index - b.index);
  stops = matches.filter(({ of }, it) => of !== matches[it - 1]?.of);
  at = stops.findIndex(isHere) - 1;
}

function find(words, from, stays) {
  const now = stays && stops[at] && rangeOf(stops[at]);
  finder.hidden = false;
  if (field.value !== words) field.value = words;
  if (onward) onward.hash = "/" + new URLSearchParams({ q: words });
  if (!said) readPage();
  led = byId(from);
  words = words.trim().toLowerCase();
  if (led) seekMessages(words, led);
  else {
    words = words.replace(/^"|"$/g, "");
    stops = matches = words ? literal(words) : [];
    at = before(stops.length, (it) => (now ? rangeOf(stops[it]).compareBoundaryPoints(0, now) >= 0
      : shownTop(pieces[pieceAt(stops[it].index)].parentElement) > 0)) - 1;
  }
  if (stops[0]) stepMatch(1);
  else {
    paint();
    count.textContent = words && `nothing found${outputs[0] && !outputs[0].output ? "; long outputs are not searched" : ""}`;
  }
}

function stepMatch(step) {
  if (!stops[0]) return;
  at = (at + step + stops.length) % stops.length;
  const range = rangeOf(stops[at]);
  const element = range.startContainer.parentElement;
  open(element);
  const entry = element.closest(".entry");
  const kind = entry && (element.matches(".gap") ? "long output" : entry.matches(".personal") ? "answer" : KINDS[entry.classList[1]] || entry.classList[1]);
  const told = stops === matches ? "" : "message ";
  one(".at")?.classList.remove("at");
  if (told) entry.classList.add("at");
  count.textContent = told + [at + 1, stops.length].map((it) => it.toLocaleString("en")).join(" of ") + (kind ? " · " + kind : "");
  const area = () => range.getBoundingClientRect();
  const box = element.closest(".code-box");
  settle(() => {
    if (box && area().right > box.getBoundingClientRect().right) {
      one("[aria-pressed='false']", box)?.click();
      box.classList.add("wrapped");
    }
    (entry || element).scrollIntoView();
    scrollBy(0, -finder.offsetHeight);
    if (area().bottom > innerHeight - 80) scrollBy(0, area().top - innerHeight / 2);
  });
  paint();
}

function paint() {
  const { highlights } = CSS;
  if (!highlights) return;
  const now = matches.indexOf(stops[at]);
  const near = matches.slice(Math.max(now - 1000, 0), now + 1000).map(rangeOf);
  highlights.set("found", new Highlight(...near));
  highlights.set("found-now", new Highlight(...stops.slice(at, at + 1).map(rangeOf)));
}

const findSoon = (stays) => {
  clearTimeout(timer);
  timer = setTimeout(() => find(field.value, "", stays), 120);
};
field.oninput = () => findSoon();
/* From disk, pages read no files. */
if (location.protocol !== "file:") field.onfocus = () => outputs.forEach((link) => link.output || fetch(link).then((it) => (it.ok ? it.text() : "")).then((text) => {
  link.output = "\0" + text.toLowerCase().replace(/\s/g, " ");
  said = "";
  if (!led && !finder.hidden) findSoon(true);
}, () => 0));
field.onkeydown = ({ key, shiftKey }) => { if (key === "Enter") stepMatch(shiftKey ? -1 : 1); };
Object.assign(actions, { up: () => stepMatch(-1), down: () => stepMatch(1), close: closeFinder, find: openFinder });

const toPath = (relation) => () => one(`.path-nav a[rel='${relation}']`)?.click();
Object.assign(keys, {
  "/": { act: openFinder, words: "find in this conversation" },
  j: { act: () => stepPrompt(1), words: "next prompt" },
  k: { act: actions.back, words: "previous prompt" },
  ...(one(".path-nav") && {
    "[": { act: toPath("prev"), words: "previous path" },
    "]": { act: toPath("next"), words: "next path" },
  }),
  d: { act: actions.digest, words: "fold or show the work between prompts" },
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || help?.open) return;
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
chooseAddress();
const id = location.hash.split(/[#=]/).pop();
if (/^m-[\w-]+$/.test(id)) {
  if (byId(id)) {
    follow();
    settle(() => tell(finder.hidden || innerWidth > 640));
  } else title.after(make("p", { className: "note warn" }, "The linked message is not on this page."));
}

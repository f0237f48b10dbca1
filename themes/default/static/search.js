/* Search. Pagefind finds pages; the messages on them are told apart here, by anchors in what was
   indexed. What is asked for stands in the address: #/q=words&project=…&status=…&month=… (or ?q=…) */
"use strict";

const SHOWN = 8, MOST = 120, MANY = 400, PASSAGES = 3, BEFORE = 7, AROUND = 32;
const KINDS = { title: "Title", prompt: "Prompt", reply: "Reply", answer: "Answer", tool: "Tool", notice: "Notice" };
const BEFORE_PROMPT = { prompt: " ", reply: " to prompt ", tool: " for prompt " };
const form = one("[data-seeker]");
const list = one(".results");
const said = one(".seeker-said");
const more = one(".results-more");
const nothing = one(".nothing");
const [widen, filter] = all("button, a", nothing);
const sessions = filter.href;
const site = form.dataset.seeker.replace(/pagefind\/pagefind\.js$/, "");
let loading, asked = 0, left = [];

const put = (tag, className, ...children) => make(tag, { className }, ...children);

/* Pagefind with all indexes: the first lies beside it, others in folders below. */
async function openIndexes() {
  const place = new URL(form.dataset.seeker, location.href);
  const source = fetch(new URL("everyleaf-source.json", place)).then((answer) => answer.json());
  const [pagefind, { indexes }] = await Promise.all([import(place.href), source]);
  const others = Object.keys(indexes).filter(Boolean);
  await Promise.all(others.map((folder) => pagefind.mergeIndex(new URL(folder, place).href)));
  return pagefind;
}

const load = () => (loading ??= openIndexes());

/* The messages of a document, and where what was found in them is. */
function messages(data) {
  const stops = data.anchors.filter((anchor) => KINDS[anchor.id.split(":")[0]])
    .sort((one, other) => one.location - other.location);
  const all = stops.map(({ id, location: start }, number) => {
    const [kind, anchor, prompt, time = ""] = id.split(":");
    const end = stops[number + 1]?.location ?? Infinity;
    const at = decodeURIComponent(time).replace("T", " ");
    return { kind, anchor, prompt: Number(prompt), at, start, end, places: [] };
  });
  data.weighted_locations.forEach(({ location }) => {
    (all.findLast(({ start }) => start <= location) || all[0])?.places.push(location);
  });
  return all;
}

/* What was typed; outside of phrases, of a commit its first seven digits, of a pull request its
   number; a single word needs no quotes. */
const wanted = () => form.q.value.replace(/"([\p{L}\p{N}]+)"|"(?:pr|pull request) +(#\d+)"/giu, "$1$2")
  .replace(/"[^"]*"|[^"]+/g, (part) => (part[0] === '"' ? part
    : part.replace(/(?<![-.\w])(?=\w{0,6}\d)([0-9a-f]{7})[0-9a-f]{1,33}(?![-\w])/g, "$1")
      .replace(/\b(?:pr|pull request) +(?=#\d)/gi, "")));

/* Letters and digits alone, as Pagefind compares; and "#7" and "1.24", which it takes for 7 and 124. */
const bare = (word) => (/^[^\p{L}\p{N}]*#\d{1,4}[^\p{L}\p{N}]*$/u.test(word) ? "#" : "") +
  word.normalize("NFKD").replace(/(?<=\d\.\d+)[^\p{L}\p{N}.]+(?=\d)/gu, "\0").replace(/[^\0\p{L}\p{N}.]|(?<!\d)\.|\.(?!\d)/gu, "").toLowerCase();

/* The last part of an address of a pull request is its number. */
const bareIn = (word, at, words) => bare((/(pull|issues)\/\u2060$/.test(words[at - 1]) ? "#" : "") + word);

/* Where the index parts words (`_WITHIN` in search/index.py), which must not ask for case. */
const PART = "[\\p{L}\\p{N}_]";
const BETWEEN = RegExp([
  "[\\s/\\\\]+",
  `(?<=\\S)(?=[\\u3040-\\u9fff])|(?<=[\\u3040-\\u9fff])(?=${PART})`,  // Japanese, Chinese
  "(?<=[0-9A-Za-z])(?=[\\uac00-\\ud7a3])",  // Korean
  `(?<=\\p{L}|${PART}(?:[=<>~@^:,+\\u2192\\-]|[=<>~!]=))(?=\\d+\\.\\d)`,  // v1.24.0, mcp>=2.0
  `(?<=${PART}(?:[(=>)]|[\\-=]>|[=!:]=|\\.\\.))(?=${PART})|(?<=${PART}[:,])(?=\\p{L})`,  // f(x), 1a2b..3c4d
  `(?<=${PART}\\.)(?=\\p{L}{6})|(?<=[A-Za-z]:)(?=\\d)`,  // id.checkpoint, main.go:45
  `(?<=\\p{L}-)(?=\\d{4}(?!${PART}))|(?<![0-9A-Za-z_]\\d{4}-)(?<=\\d{4}-)(?=\\p{L})|(?<=#\\d{3}-)(?=\\d)`,  // ADR-0018, #228-229
].join("|"), "u");

/* As it is compared: words, and phrases with words one blank apart. */
function termsOf(words) {
  return (words.match(/"[^"]*"|[^\s"\/\\]+/g) || [])
    .map((term) => term.split(BETWEEN).map(bare).filter(Boolean).join(" ")).filter(Boolean);
}

/* As it was said, before the index parted its words with U+2060; of code, the index lacks signs. */
const joined = (text) => text.replace(/\u2060[ \u2060]/g, "").replaceAll("\u2060", " ");
const plain = (text) => joined(text).replace(/[|*#`]/g, "").replace(/\s+/g, " ").trim().toLowerCase();

/* No other number is like one, but "#7" is a 7, and "v1.24.0" begins with 1.24. */
const isNumber = (word) => /^(#?\d{1,4}|\d+(\.\d+)+)$/.test(word);

/* 3: as typed, 2: begins so, 1: like it: more than half of what was asked for begins the word, or it
   is the stem. Pagefind takes any shorter word for a similar one, down to a letter. */
function fit(word, asked) {
  if (word === asked) return 3;
  if (isNumber(asked)) {
    return asked.includes(".") ? 2 * RegExp(`(?<![\\d.])${asked.replaceAll(".", "\\.")}(?!\\d)`).test(word) : 3 * (word === "#" + asked);
  }
  if (word.includes(asked)) return word.startsWith(asked) ? 2 : 1;
  let same = 0;
  while (same < asked.length && word[same] === asked[same]) same += 1;
  const isStem = same === word.length && /^.?(ing|ed|es)$/.test(asked.slice(same));
  return Number(same > 2 && (isStem || same * 2 > asked.length));
}

/* What was found in a document; "exact": all that is asked for stands in a message, and what is
   quoted as it is. Of a phrase, Pagefind tells one place in a document, and of a title not always one. */
function read(data, terms, quoted) {
  const words = data.content.split(/\s+/);
  const bared = words.map(bareIn);
  const all = [...words.keys()];
  const typed = terms.join(" ");
  const single = typed.split(" ");
  const phrases = terms.filter((term) => term.includes(" "));
  const lone = terms.filter((term) => !term.includes(" "));
  const signs = new Map(quoted.map((phrase) => [termsOf(`"${phrase}"`)[0], phrase]).filter(([term]) => term));
  const rows = new Set([...(terms[1] ? [typed] : []), ...phrases, ...signs.keys()]);
  const isSimilar = single.every((one) => bared.some((word) => fit(word, one)));
  const found = !isSimilar ? [] : messages(data).filter((message) => {
    const { kind, start, end, places } = message;
    const spots = all.slice(start, end).filter((at) => bared[at]);
    const inRow = (some) => some.map((at) => bared[at]).join(" ");
    const text = inRow(spots);
    /* `size` words from the nth on, with the signs around them, which the word before may end with. */
    const around = (n, size) => plain(words.slice(spots[n - 1] ?? start, spots[n + size] ?? end).join(" ")
      .replace(n ? /^\S*[\p{L}\p{N}]/u : "", ""));
    const isAsQuoted = (term, n) => !message.exact ||
      (signs.has(term) ? [signs.get(term)] : quoted).every((phrase) => around(n, term.split(" ").length).includes(phrase));
    message.exact = (phrases[0] || places.length || kind === "title") &&
      terms.every((term) => (isNumber(term) ? spots.some((at) => fit(bared[at], term)) : text.includes(term))) &&
      quoted.every((phrase) => plain(words.slice(start, end).join(" ")).includes(phrase));
    const fits = lone.map((one) => places.map((at) => fit(bared[at] || "", one)));
    const best = fits.map((some) => Math.max(0, ...some));
    message.places = places.filter((place, n) => lone.some((one, at) => fits[at][n] && fits[at][n] === best[at] &&
      (!signs.has(one) || isAsQuoted(one, spots.indexOf(place)))));
    message.isSaid = single.length > 3 && text.includes(typed);
    message.rank = (" " + text).includes(" " + typed) * 2 + Math.min(3, ...best);
    [...rows].filter((phrase) => text.includes(phrase)).forEach((phrase) => {
      const size = phrase.split(" ").length;
      spots.forEach((_, n) => {
        const here = spots.slice(n, n + size);
        if (inRow(here).includes(phrase) && isAsQuoted(phrase, n)) {
          message.places.push(...here);
          message.lead ??= here[0];
        }
      });
    });
    return message.exact || message.places.length;
  });
  return { data, words, found };
}

/* All of the name but for a path's number and an agent's id. */
function sessionOf(url) {
  const name = url.replace(/^[^_]*_|\.html$/g, "");
  return url.startsWith("agents/") ? name.slice(0, name.lastIndexOf("_")) : name.replace(/_path\d+$/, "");
}

const many = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/* "12 messages and 1 title in 3 sessions" */
function counted(documents, isCut) {
  const places = new Set(), titles = new Set(), sessions = new Set();
  documents.forEach(({ data, found }) => {
    const url = about(data, "page");
    sessions.add(sessionOf(url));
    found.forEach(({ kind, anchor }) => (kind === "title" ? titles : places).add(url + anchor));
  });
  const counts = [[places, "message"], [titles, "title"]].filter(([some]) => some.size);
  return (isCut ? "more than " : "") + counts.map(([some, noun]) => many(some.size, noun)).join(" and ") + " in " + many(sessions.size, "session");
}

/* Words around what was found: text alone, never markup. */
function passage(message) {
  const { words } = message;
  const start = Math.max(message.start, (message.lead ?? Math.min(...message.places)) - BEFORE);
  const last = Math.min(message.end, words.length);
  const end = Math.min(last, start + AROUND);
  const text = put("span", "");
  let mark = text, gap = start > message.start ? "… " : "";
  for (let at = start; at < end; at += 1) {
    const [, before, word, after] = joined(words[at] + " ").match(/^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/u);
    const isMarked = message.places.includes(at);
    if (!isMarked) mark = text;
    mark.append(gap + before);
    if (isMarked && mark === text) text.append(mark = put("mark", ""));
    mark.append(word);
    gap = after;
  }
  text.append(gap, end < last ? "…" : "");
  return text;
}

function byPage(documents) {
  const pages = new Map();
  documents.forEach((one) => {
    const url = about(one.data, "page");
    const { found } = pages.get(url) || pages.set(url, { ...one, found: [] }).get(url);
    found.push(...one.found.map((message) => ({ ...message, words: one.words })));
  });
  const byRank = (one, other) => other?.rank - one?.rank;
  pages.forEach(({ found }) => found.sort(byRank));
  return [...pages.values()].sort((one, other) => byRank(one.found[0], other.found[0]));
}

/* Who says the whole sentence first, then by time. */
function byTime(one, other) {
  return other.isSaid - one.isSaid || one.at.localeCompare(other.at) || one.prompt - other.prompt || one.start - other.start;
}

function show({ data, found }) {
  const page = pageOf(data, found.some((message) => message.kind === "title" && form.q.value));
  const told = found.filter((message) => message.kind !== "title");
  const parts = [told.slice(0, PASSAGES), told.slice(PASSAGES)].map((some) => some.sort(byTime));
  const items = parts.flat().map((message) => {
    const kind = put("span", "kind", put("b", "", KINDS[message.kind]));
    if (message.prompt) kind.append((BEFORE_PROMPT[message.kind] || " at prompt ") + message.prompt);
    if (message.at) kind.append(put("time", "", message.at + " UTC"));
    const link = put("a", "passage to-" + message.kind, kind, passage(message));
    link.href = site + page.url + (form.q.value
      ? "#/" + new URLSearchParams({ find: wanted(), at: message.anchor }) : "#" + message.anchor);
    return put("li", "", link);
  });
  page.passages.append(...items.splice(0, PASSAGES));
  page.rest = items;
  if (!items[0]) return;
  page.more.textContent = items.length + " more here";
  page.passages.append(page.more.parentNode);
}

function about(data, name) {
  const anchor = data.anchors.find((one) => one.id.startsWith(name + ":"));
  return anchor ? decodeURIComponent(anchor.id.slice(name.length + 1)) : "";
}

function pageOf(data, isFound) {
  const url = about(data, "page");
  const name = about(data, "name") || url;
  const link = put("a", "", isFound ? put("mark", "", name) : name);
  link.href = site + url;
  const { project = [], status = [] } = data.filters;
  const meta = put("span", "row-meta");
  const place = about(data, "path");
  status.filter((word) => place || word !== "active").forEach((word) => meta.append(put("span", "status " + word, word.toUpperCase()), " "));
  const ended = about(data, "ended");
  const told = [place, ...project, ended && "ended " + ended + " UTC"].filter(Boolean);
  meta.append(...told.map((word) => put("span", "", word)));
  const session = put("a", "", about(data, "session"));
  session.href = site + "sessions/session_" + sessionOf(url) + ".html";
  if (session.textContent) meta.append(put("span", "", "in ", session));
  const page = { url, passages: put("ul", "passages"), more: put("button", "tool-button") };
  page.more.type = "button";
  page.more.onclick = () => {
    const next = page.rest[0].firstChild;
    page.more.parentNode.replaceWith(...page.rest.splice(0));
    next.focus();
  };
  put("li", "", page.more);
  list.append(put("li", "result", put("h2", "", link), meta, page.passages));
  return page;
}

function showMore() {
  left.splice(0, SHOWN).forEach(show);
  more.hidden = !left[0];
}

/* Of how many documents, and the first `most` of them. */
async function documentsOf(words, filters, most, others = []) {
  const pagefind = await load();
  const searched = await Promise.all([words, ...others].map((some) => pagefind.search(some, { filters })));
  const found = new Map(searched.flatMap(({ results }) => results).map((result) => [result.id, result]));
  return [found.size, await Promise.all([...found.values()].slice(0, most).map((result) => result.data()))];
}

/* Words that stand nowhere. */
async function missing(terms, filters) {
  const words = [...new Set(terms.join(" ").split(" "))];
  const found = await Promise.all(words.map(async (word) => {
    const [, some] = await documentsOf(word, filters, MOST);
    return some.some((data) => data.content.split(/\s+/).map(bareIn).some((one) => isNumber(word) ? fit(one, word) : one.includes(word)));
  }));
  return words.filter((_, at) => !found[at]);
}

/* The word most likely meant: two letters between its ends may differ. */
async function meant(term, filters) {
  if (isNumber(term)) return "";
  const [, some] = await documentsOf(term.slice(0, 3), filters, SHOWN);
  let best = "", most = Math.max(term.length - 3, 2);
  new Set(some.flatMap((data) => data.content.split(/\s+/).map(bare))).forEach((word) => {
    let from = 0, to = 0;
    while (from < term.length && word[from] === term[from]) from += 1;
    while (to < term.length - from && word.at(-1 - to) === term.at(-1 - to)) to += 1;
    const same = from + to - Math.abs(word.length - term.length);
    if (from > 2 && same > most) [best, most] = [word, same];
  });
  return best;
}

/* Of what fits alike: what was said before what tools did, then by place. */
function inOrder(one, other) {
  return (one.kind === "tool") - (other.kind === "tool") || one.start - other.start;
}

function chosen() {
  return [...new FormData(form)].filter(([, value]) => value.trim());
}

async function lookFor(words, terms, filters) {
  /* In quotes, all is one phrase, and letters with marks are missed; but a version at the end may go on. */
  const clean = (text) => text.split(BETWEEN).join(" ").replace(/[^\p{L}\p{N}\p{M}\s_]+/gu, "").replace(/(?<!\S)v(?= \d)/gi, "");
  const bared = clean(words);
  const isPhrase = !terms[1] && !/\.\d+$/.test(terms[0]) && /^ *\w+ [\w ]+$/.test(bared);
  const sent = isPhrase ? `"${bared}"` : bared;
  /* Of a name with hyphens, Pagefind knows the whole and each part, and not all that some make together. */
  const parted = /[\p{L}\p{N}]-[\p{L}\p{N}]/u.test(words) ? [clean(words.replaceAll("-", " "))] : [];
  const most = parted[0] ? MANY : MOST;
  const [all, loaded] = await documentsOf(words ? sent : null, filters, most, parted);
  const quoted = (words.match(/"[^"]+"/g) || []).map((phrase) => plain(phrase.slice(1, -1)));
  const documents = loaded.map((data) => read(data, terms, quoted)).filter(({ found }) => !words || found.length);
  const exact = documents.map((one) => ({ ...one, found: one.found.filter((message) => message.exact).sort(inOrder) }))
    .filter((one) => one.found.length);
  const isNear = words && !exact.length;
  return { isNear, isCut: all > most, documents: isNear || !words ? documents : exact };
}

async function seek() {
  const ticket = ++asked;
  const { q, ...filters } = Object.fromEntries(chosen());
  const isAsked = chosen()[0];
  const words = wanted().trim();
  const terms = termsOf(words);
  let told = { documents: [] }, lacking = [];
  if (isAsked) {
    const slow = setTimeout(() => { said.textContent = "Searching…"; }, 400);
    try {
      told = await lookFor(words, terms, filters);
      if (terms[1] && told.isNear) lacking = await missing(terms, filters);
      const rest = terms.filter((term) => !term.split(" ").some((word) => lacking.includes(word)));
      const likely = terms.length === 1 && !told.documents[0] && await meant(terms[0], filters);
      if (likely) told = { ...await lookFor(likely, [likely], filters), isNear: true };
      if (lacking[0] && rest[0]) told = await lookFor(rest.join(" "), rest, filters);
    } catch (error) {
      said.textContent = "The search index cannot be loaded.";
      console.error(error);
      return;
    } finally {
      clearTimeout(slow);
    }
  }
  if (ticket !== asked) return;
  list.replaceChildren();
  left = byPage(told.documents);
  const without = lacking[0] ? lacking.join(", ") + " is not found. Without it: " : "";
  said.textContent = !isAsked ? "" : !left[0] ? "Nothing found"
    : !q ? (told.isCut ? "More than " + MOST + " places" : many(left.length, "place"))
    : without + (told.isNear ? "Nothing exact; similar: " : "") + counted(left, told.isCut);
  nothing.hidden = !isAsked || Boolean(left.length && !without && !told.isNear);
  widen.hidden = !Object.keys(filters).length;
  filter.href = sessions + "#/" + new URLSearchParams({ q: words });
  showMore();
}

let waiting;
function searchSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const state = String(new URLSearchParams(chosen()));
    history.replaceState(null, "", location.pathname + (state && "#/" + state));
    seek();
  }, 150);
}

function restore() {
  const state = new URLSearchParams(location.hash.slice(2) || location.search);
  for (const field of form) {
    field.value = state.get(field.name) || "";
    if (field.selectedIndex < 0) field.value = "";
  }
  seek();
}

if (location.protocol === "file:") {
  form.remove();
  one(".no-server").hidden = false;
} else {
  form.oninput = searchSoon;
  form.addEventListener("focusin", load, { once: true });
  form.onsubmit = (event) => event.preventDefault();
  more.onclick = showMore;
  widen.onclick = () => {
    all("select", form).forEach((choice) => { choice.value = ""; });
    searchSoon();
    form.q.focus();
  };
  addEventListener("hashchange", restore);
  restore();
  form.q.focus();
}

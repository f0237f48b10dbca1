/* Search in all messages. Pagefind finds pages; the messages on them are told apart here, by
   anchors in what was indexed. State in the address: #/q=words&project=…&status=…&month=… */
(function () {
  "use strict";

  const SHOWN = 8, PASSAGES = 3, BEFORE = 7, AROUND = 32;
  const KINDS = { title: "Title", prompt: "Prompt", reply: "Reply", tool: "Tool" };
  const form = document.querySelector("[data-seeker]");
  const list = document.querySelector(".results");
  const said = document.querySelector(".seeker-said");
  const more = document.querySelector(".results-more");
  const root = form.dataset.seeker.replace(/pagefind\/pagefind\.js$/, "");
  let loading, asked = 0, left = [], pages = new Map();

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...children);
    return element;
  }

  function load() {
    loading = loading || import(new URL(form.dataset.seeker, location.href).href);
    return loading;
  }

  /* What of a document was found, by message: kind, anchor, and where its words are. */
  function messages(data) {
    const found = new Map();
    const stops = data.anchors.filter((anchor) => KINDS[anchor.id.split(":")[0]])
      .sort((one, other) => one.location - other.location);
    data.weighted_locations.forEach(({ location, balanced_score: score }) => {
      let at = stops.length - 1;
      while (at > 0 && stops[at].location > location) at -= 1;
      if (at < 0) return;
      const [kind, anchor] = stops[at].id.split(":");
      const end = at + 1 < stops.length ? stops[at + 1].location : Infinity;
      const one = found.get(at) ||
        { kind, anchor, start: stops[at].location, end, score: 0, places: [] };
      one.places.push(location);
      one.score += score;
      found.set(at, one);
    });
    return [...found.values()].sort((one, other) => other.score - one.score);
  }

  /* Words around what was found. Text only: nothing of a transcript becomes markup. */
  function passage(words, message) {
    const start = Math.max(message.start, Math.min(...message.places) - BEFORE);
    const end = Math.min(message.end, words.length, start + AROUND);
    const text = make("span", "");
    if (start > message.start) text.append("… ");
    for (let at = start; at < end; at += 1) {
      text.append(message.places.includes(at) ? make("mark", "", words[at]) : words[at], " ");
    }
    if (end < Math.min(message.end, words.length)) text.append("…");
    return text;
  }

  function show(data, page) {
    const words = data.content.split(/\s+/);
    const items = messages(data).filter((message) => message.kind !== "title").map((message) => {
      const kind = make("span", "kind", KINDS[message.kind]);
      const link = make("a", "passage to-" + message.kind, kind, passage(words, message));
      link.href = root + page.url + "#" + message.anchor;
      return make("li", "", link);
    });
    page.passages.append(...items.slice(0, PASSAGES));
    const rest = items.slice(PASSAGES);
    if (!rest.length) return;
    const button = make("button", "tool-button", rest.length + " more here");
    button.type = "button";
    button.addEventListener("click", () => {
      const next = rest[0].firstChild;
      button.parentNode.replaceWith(...rest);
      next.focus();
    });
    page.passages.append(make("li", "", button));
  }

  function pageOf(data) {
    const about = (name) => {
      const anchor = data.anchors.find((one) => one.id.startsWith(name + ":"));
      return anchor ? decodeURIComponent(anchor.id.slice(name.length + 1)) : "";
    };
    const url = about("page");
    if (pages.has(url)) return pages.get(url);
    const link = make("a", "", about("name") || url);
    link.href = root + url;
    const { project = [], status = [], month = [] } = data.filters;
    const meta = make("span", "row-meta");
    status.forEach((word) => meta.append(make("span", "status " + word, word.toUpperCase()), " "));
    meta.append(...project.concat(month).map((word) => make("span", "", word)));
    const page = { url, passages: make("ul", "passages") };
    list.append(make("li", "result", make("h2", "", link), meta, page.passages));
    pages.set(url, page);
    return page;
  }

  async function showMore(ticket) {
    const next = left.splice(0, SHOWN);
    const loaded = await Promise.all(next.map((result) => result.data()));
    if (ticket !== asked) return;
    loaded.forEach((data) => show(data, pageOf(data)));
    more.hidden = !left.length;
  }

  function chosen() {
    return [...new FormData(form)].filter(([, value]) => value.trim());
  }

  async function search() {
    const ticket = ++asked;
    const { q, ...filters } = Object.fromEntries(chosen());
    const isAsked = q || Object.keys(filters).length;
    let results = [];
    if (isAsked) {
      try {
        const pagefind = await load();
        const found = await pagefind.search(q || null, { filters });
        results = found.results;
      } catch (error) {
        said.textContent = "The search index cannot be loaded.";
        console.error(error);
        return;
      }
    }
    if (ticket !== asked) return;
    list.replaceChildren();
    pages = new Map();
    left = results;
    more.hidden = true;
    const count = results.length;
    said.textContent = isAsked ? (count ? count + (count === 1 ? " place" : " places") : "Nothing found") : "";
    await showMore(ticket);
  }

  let waiting;
  function searchSoon() {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const state = String(new URLSearchParams(chosen()));
      history.replaceState(null, "", state ? "#/" + state : location.pathname);
      search();
    }, 150);
  }

  function restore() {
    const state = new URLSearchParams(location.hash.slice(2));
    for (const field of form) {
      field.value = state.get(field.name) || "";
      if (field.selectedIndex < 0) field.value = "";
    }
    search();
  }

  if (location.protocol === "file:") {
    form.remove();
    document.querySelector(".no-server").hidden = false;
    return;
  }
  form.addEventListener("input", searchSoon);
  form.addEventListener("focusin", load, { once: true });
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => showMore(asked));
  addEventListener("hashchange", restore);
  restore();
  form.q.focus();
})();

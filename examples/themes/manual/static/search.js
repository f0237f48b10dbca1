/* Search in the manual: a page once, with the section that fits best. */
(function () {
  "use strict";

  const MOST = 30;
  const form = document.querySelector("[data-seeker]");
  const list = document.querySelector(".results");
  const said = document.querySelector(".seeker-said");
  let loading, asked = 0;

  function about(data, name) {
    const anchor = data.anchors.find((one) => one.id.startsWith(name + ":"));
    return anchor ? decodeURIComponent(anchor.id.slice(name.length + 1)) : "";
  }

  /* The section in which most was found. */
  function place(data) {
    const stops = data.anchors.filter((one) => one.id.startsWith("section:"));
    const best = data.weighted_locations.toSorted((one, other) => other.balanced_score - one.balanced_score)[0];
    const stop = best && stops.filter((one) => one.location <= best.location).pop();
    return stop ? "#" + stop.id.split(":")[1] : "";
  }

  function shown(data) {
    const item = document.createElement("li"), link = document.createElement("a");
    const passage = document.createElement("p"), title = document.createElement("h2");
    link.href = about(data, "page") + place(data);
    link.textContent = about(data, "name");
    title.append(link);
    /* The index holds words, escaped; only Pagefind's marks are elements. */
    const body = new DOMParser().parseFromString(data.excerpt, "text/html").body;
    passage.append(...body.childNodes);
    passage.className = "passage-words";
    item.className = "result";
    item.append(title, passage);
    return item;
  }

  async function search() {
    const ticket = ++asked, words = form.q.value.trim();
    history.replaceState(null, "", words ? "#/" + new URLSearchParams({ q: words }) : location.pathname);
    loading = loading || import(new URL(form.dataset.seeker, location.href).href);
    const { results } = words ? await (await loading).search(words) : { results: [] };
    const found = await Promise.all(results.slice(0, MOST).map((one) => one.data()));
    if (ticket !== asked) return;
    list.replaceChildren(...found.map(shown));
    said.textContent = !words ? "" : found.length ? found.length + (found.length === 1 ? " page" : " pages") : "Nothing found";
  }

  if (location.protocol === "file:") {
    form.remove();
    document.querySelector(".no-server").hidden = false;
    return;
  }
  form.addEventListener("input", search);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.q.value = new URLSearchParams(location.hash.slice(2)).get("q") || "";
  search();
  form.q.focus();
})();

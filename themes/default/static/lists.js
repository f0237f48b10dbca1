/* Filters of a list, which live in the address: #/q=words&from=2026-01-31&warmups=1 */
(function () {
  "use strict";

  const all = (selector, within) => [...within.querySelectorAll(selector)];
  const form = document.querySelector("[data-finder]");
  if (!form) return;
  const groups = document.querySelector(".groups");
  const warmups = document.querySelector(".warmups") || document.createElement("details");
  const more = form.querySelector("details");
  const output = form.querySelector("output");
  const hint = output.textContent;
  const clear = form.querySelector("[type='reset']");
  const search = document.querySelector(".to-search");
  const further = document.createElement("a");
  further.hidden = true;
  if (search) output.after(further);
  const textOf = (element) => element ? element.textContent : "";

  /* What stands in a fold of its like is called as the fold is. */
  const entries = all(".groups .row, .warmups .row", document).filter((row) => {
    return !row.parentElement.closest(".row:not(:has(> .alike))") && !row.querySelector(":scope > .alike");
  }).map((row) => {
    const alike = row.closest(".alike");
    const head = alike ? alike.querySelector("summary") : row;
    const project = textOf(head.querySelector(".project"));
    const within = (element) => all(".row-title, .files, .row-meta, .row-note", element);
    const told = within(head).filter((one) => !one.closest(".attempts:not(.warmups)"));
    const join = (some) => some.map(textOf).concat(project).join("\n").toLowerCase();
    return {
      row,
      project,
      alike,
      fold: alike || row.querySelector(".attempts"),
      shown: join(told),
      text: join(within(row).concat(told)) + " " + (row.dataset.p || ""),
      /* As its address calls it: transcripts/transcript_66e54b32-….html */
      session: (row.querySelector(".row-title").getAttribute("href") || "").toLowerCase().replace(/^.*?_|\.html$/g, ""),
      files: [...(row.dataset.f || "").matchAll(/([^/]+)\/([^/]*)/g)],
      status: row.querySelector(".attempts") ? "abandoned" : "active",
      models: (row.dataset.m || "").split(" "),
      day: (textOf(row.querySelector("small")) || textOf(row.querySelector(".row-title"))).match(/\d[\d-]{9}|$/)[0],
    };
  });

  /* A file that fits stands first in the row, which else tells one alone. */
  function sayWhy(entry, files) {
    if (!files.length && !entry.why) return;
    if (!entry.why) {
      entry.why = document.createElement("span");
      const line = entry.row.querySelector(":scope > .row-files");
      if (line) line.prepend(entry.why);
      else entry.row.querySelector(".row-meta").append(entry.why);
    }
    entry.why.replaceChildren(...files.flatMap(([, name, page]) => {
      const link = document.createElement(page ? "a" : "span");
      link.className = "files";
      link.textContent = name;
      if (page) link.href = groups.dataset.files + page + ".html";
      return [link, " · "];
    }).slice(0, entry.why.parentElement.matches(".row-files") ? undefined : -1));
    entry.why.hidden = !files.length;
  }

  /* A row that fits by what is folded in it stands open. */
  function openFolds(words, status) {
    const open = new Set(entries.filter(({ row, fold, alike, shown, text }) => {
      return fold && row.fits && ((status === "abandoned" && !alike) ||
        words.some((word) => !shown.includes(word) && (alike || text.includes(word))));
    }).map(({ fold }) => fold));
    all(".alike, .attempts", groups).forEach((fold) => {
      if (!open.has(fold) && !fold.opened) return;
      fold.open = fold.opened = open.has(fold);
    });
  }

  /* Where the words stand in what the first rows show. */
  function markWords(words) {
    if (!window.Highlight) return;
    const marks = new Highlight();
    entries.filter(({ row }) => row.fits).slice(0, words.length && 200).forEach(({ row }) => {
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        const text = node.parentNode.closest(".row-title, .project, .files") ? node.data.toLowerCase() : "";
        words.forEach((word) => {
          for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            marks.add(range);
          }
        });
      }
    });
    CSS.highlights.set("found", marks);
  }

  function shownIn(element) {
    return all(".row", element).filter((row) => row.fits).length;
  }

  /* Of how many rows of a fold fit, before its own words. */
  function tell(told, number, rows) {
    told.textContent = told.textContent.replace(/^(\d[\d,]* of )?/, number < rows ? number + " of " : "");
  }

  function address() {
    const state = new URLSearchParams(new FormData(form));
    if (warmups.open) state.set("warmups", 1);
    return String(state).replace(/\w+=(&|$)/g, "").replace(/&$/, "").replace(/^./, "#/$&");
  }

  function filter() {
    const { q, project, status, compacted, from, to } = Object.fromEntries(new FormData(form));
    const model = form.model ? String(form.model.selectedIndex - 1) : "-1";
    const words = q.toLowerCase().split(" ").filter(Boolean);
    let shown = 0;
    entries.forEach((entry) => {
      const isNamed = (word) => word.length > 7 && entry.session.startsWith(word);
      const unseen = words.filter((word) => !entry.text.includes(word) && !isNamed(word));
      const files = unseen.map((word) => entry.files.find(([, name]) => name.toLowerCase().includes(word)));
      const fits = files.every(Boolean) &&
        (!project || entry.project === project) &&
        (!status || entry.status === status) &&
        (model === "-1" || entry.models.includes(model)) &&
        (!from || entry.day >= from) && (!to || (entry.day && entry.day <= to)) &&
        (!compacted || "compacted" in entry.row.dataset);
      entry.row.hidden = !fits;
      entry.row.fits = fits;
      sayWhy(entry, fits ? [...new Set(files)] : []);
      shown += fits;
    });
    openFolds(words, status);
    markWords(words);
    all(".alike", document).forEach((fold) => {
      const number = shownIn(fold);
      const rows = all(".row", fold).length;
      const [told, ...rest] = all("summary .row-meta > :not(.project)", fold);
      tell(told, number, rows);
      rest.forEach((fact) => { fact.hidden = number < rows; });  // They tell of all.
      fold.parentElement.hidden = !number;
    });
    all(".group", groups).forEach((group) => {
      const number = shownIn(group);
      group.hidden = !number;
      group.querySelector(".count").textContent = number.toLocaleString("en");
    });
    const folded = shownIn(warmups);
    warmups.hidden = !folded;
    all("summary", warmups).slice(0, 1).forEach((told) => tell(told, folded, all(".row", warmups).length));
    const counted = [shown, entries.length].map((number) => number.toLocaleString("en")).join(" of ");
    output.textContent = !shown ? "Nothing on this page fits" + (hint ? ": the other months keep the filter." : ".")
      : counted + (hint ? " on this page, " + hint : " sessions") + (folded ? `; ${folded} folded at the end` : "");
    form.classList.toggle("empty", !shown);
    clear.hidden = ![...new FormData(form).values()].some(Boolean);
    further.hidden = !q.trim();
    further.textContent = `Search all messages for “${q.trim()}”`;
    if (search) further.href = search.href + "#/" + new URLSearchParams({ q: q.trim(), ...(project && { project }) });
    all(".side li", document).forEach((item) => {
      const { hash } = item.querySelector("a");
      const month = hash && document.getElementById(hash.slice(1));
      const meta = item.querySelector(".meta");
      item.hidden = Boolean(month && month.hidden);
      if (month) meta.textContent = textOf(month.querySelector(".count"));
      else meta.hidden = !clear.hidden;  // It tells of all.
    });
    /* The rest of a long list, filtered alike. */
    all(".side [href*='months/'], .doors a", document).forEach((link) => { link.hash = address(); });
    all(".side > .fold", document).forEach((fold) => { fold.hidden = !fold.querySelector("li:not([hidden])"); });
  }

  let writing;

  function remember() {
    clearTimeout(writing);  // Browsers refuse changes with every key.
    writing = setTimeout(() => history.replaceState(null, "", address() || location.pathname), 200);
  }

  function restore() {
    const chosen = location.hash.startsWith("#/") ? location.hash.slice(2) : "";
    const state = new URLSearchParams(chosen);
    for (const field of form) {
      if (field.type === "checkbox") field.checked = state.has(field.name);
      else field.value = state.get(field.name) || "";
      if (field.selectedIndex < 0) field.value = "";
    }
    more.open = ["status", "model", "from", "to", "compacted"].some((name) => state.has(name));
    warmups.open = state.has("warmups");
    filter();
    if (location.hash === "#search") form.q.focus();
  }

  form.addEventListener("input", () => { filter(); remember(); });
  form.addEventListener("reset", () => setTimeout(() => { filter(); remember(); }));
  form.addEventListener("submit", (event) => event.preventDefault());
  warmups.addEventListener("toggle", remember);
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#/") || location.hash === "#search") restore();
  });
  restore();
})();

/* Lists by the reader's own day; filters in the address: #/q=words&from=2026-01-31&warmups=1 */
(function () {
  "use strict";

  const all = (selector, within) => [...within.querySelectorAll(selector)];
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
  const groups = document.querySelector("[data-groups]");
  const form = document.querySelector("[data-finder]");
  const warmups = document.querySelector(".warmups") || make("details");
  const listed = all(".group > .rows > .row", groups);
  const rows = listed.concat(all(".warmups > .rows > .row", document));

  const LAST_DAY = { Today: 0, Yesterday: 1, "Past week": 7, "Past month": 30 };
  const format = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short" });  // 2026-01-31 14:05
  const dayOf = (text) => Date.parse(text.slice(0, 10)) / 864e5;

  function groupByDay() {
    const today = dayOf(format.format());
    const months = all(".group", groups);
    const older = make("section", { className: "group older", innerHTML: "<h2>Older</h2>" });
    const lists = Object.keys(LAST_DAY).map((name) => {
      const parts = "<h2>" + name + " <span class='count'></span></h2><ul class='rows'></ul>";
      const section = make("section", { className: "group", innerHTML: parts });
      groups.append(section);
      return section.lastChild;
    });
    rows.forEach((row, index) => {
      const time = row.querySelector("time");
      if (!time) return;
      const local = format.format(new Date(time.textContent.replace(" ", "T") + "Z"));
      time.textContent = local;
      const at = Object.values(LAST_DAY).findIndex((last) => today - dayOf(local) <= last);
      if (at >= 0 && index < listed.length) lists[at].append(row);
    });
    months.forEach((month) => {
      const heading = month.firstChild;
      heading.outerHTML = heading.outerHTML.replace(/h2/g, "h3");
    });
    older.append(...months);
    groups.append(older);
  }

  function recount() {
    /* Months before "Older". */
    all(".group", groups).reverse().forEach((group) => {
      const parts = ":scope > .rows > .row:not([hidden]), :scope > .group:not([hidden])";
      const count = group.querySelector(":scope > * > .count");
      const number = all(parts, group).length;
      group.hidden = !number;
      if (count) count.textContent = number.toLocaleString("en");
    });
  }

  const entries = [];

  function readRows() {
    rows.forEach((row) => {
      const project = groups.dataset.groups && row.querySelector(".row-meta > span").textContent;
      const titles = all(".row-title", row).map((title) => title.textContent);
      const time = row.querySelector("time");
      entries.push({
        row,
        project,
        text: titles.concat(project).join("\n").toLowerCase(),
        status: row.querySelector(".attempts") ? "abandoned" : "active",
        models: (row.dataset.m || "").split(" "),
        day: time ? time.textContent.slice(0, 10) : "",
      });
    });
  }

  function filter() {
    const { q, project, status, compacted, from, to } = Object.fromEntries(new FormData(form));
    const model = form.model ? String(form.model.selectedIndex - 1) : "-1";
    const words = q.toLowerCase().split(" ");
    let shown = 0;
    entries.forEach((entry) => {
      const fits = words.every((word) => entry.text.includes(word)) &&
        (!project || entry.project === project) &&
        (!status || entry.status === status) &&
        (model === "-1" || entry.models.includes(model)) &&
        (!from || entry.day >= from) && (!to || (entry.day && entry.day <= to)) &&
        (!compacted || "compacted" in entry.row.dataset);
      entry.row.hidden = !fits;
      shown += fits;
    });
    warmups.hidden = !all(":scope > .rows > .row:not([hidden])", warmups).length;
    form.querySelector("output").textContent = shown + " of " + rows.length + " sessions";
    recount();
  }

  let writing;

  function remember() {
    const state = new URLSearchParams(new FormData(form));
    if (warmups.open) state.set("warmups", 1);
    const address = String(state).replace(/\w+=(&|$)/g, "").replace(/&$/, "");
    clearTimeout(writing);  // Browsers refuse changes with every key.
    writing = setTimeout(() => {
      history.replaceState(null, "", address ? "#/" + address : location.pathname);
    }, 200);
  }

  function restore() {
    const state = new URLSearchParams(location.hash.slice(2));
    for (const field of form) {
      if (field.type === "checkbox") field.checked = state.has(field.name);
      else field.value = state.get(field.name) || "";
      if (field.selectedIndex < 0) field.value = "";
    }
    warmups.open = state.has("warmups");
    filter();
    if (location.hash === "#search") form.q.focus();
  }

  groupByDay();
  recount();
  if (!form) return;
  readRows();
  form.addEventListener("input", () => { filter(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  warmups.addEventListener("toggle", remember);
  addEventListener("hashchange", restore);
  restore();
})();

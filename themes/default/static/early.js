/* Before the first paint: light or dark as it was chosen, and "scripts work here". */
"use strict";

const root = document.documentElement;
root.classList.add("js");
/* Folds move what is in sight. */
if (/^#m-/.test(location.hash)) {
  root.style.visibility = "hidden";
  addEventListener("DOMContentLoaded", () => setTimeout(() => { root.style.visibility = ""; }, 99));
}
try {
  root.dataset.theme = localStorage.getItem("everyleaf-theme") || "auto";
} catch {
  /* Storage is forbidden: the system's choice holds. */
}

/* Before the first paint: light or dark as it was chosen, and "scripts work here". */
(function () {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  try {
    root.dataset.theme = localStorage.getItem("everyleaf-theme") || "auto";
  } catch {
    /* Storage is forbidden: the system's choice holds. */
  }
})();

/* Runs before the first paint: the reader's choice of light or dark, and "scripts work here". */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var choice = localStorage.getItem("everyleaf-theme");
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  } catch (error) {
    /* Storage is forbidden here: the system's choice holds. */
  }
})();

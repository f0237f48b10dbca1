/* For comparisons: a button that copies them as Markdown. */
(function () {
  "use strict";

  const { actions, copy, one } = window.everyleaf;
  const button = one("[data-action='copy']");
  actions.copy = () => copy(one("#as-markdown").textContent, () => { button.textContent = "Copied"; });
})();

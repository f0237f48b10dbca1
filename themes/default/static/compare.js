/* For comparisons: a button that copies them as Markdown. */
"use strict";

const button = one("[data-action='copy']");
actions.copy = () => copy(one("#as-markdown").textContent, () => { button.textContent = "Copied"; });

/* For pages with folds and code. */
"use strict";

/* What shows of a place: inside closed folds, the outermost. */
function shownOf(place) {
  const fold = place.parentElement.closest("details:not([open])");
  return fold ? shownOf(fold) : place;
}

/* Keeps in its place what begins in sight, words first, while the page changes. */
function hold(change) {
  const top = all(".bar, .about:not([hidden])").pop().getBoundingClientRect().bottom;
  const area = (it) => shownOf(it).getBoundingClientRect();
  const seen = [];
  for (let y = top + 50; y < innerHeight; y += 9) {
    const it = document.elementFromPoint(innerWidth / 2, y)?.closest(".entry:not(.notice), .fork, .row, .work");
    if (it) seen.push([it, area(it).top]);
  }
  change();
  const begun = seen.filter(([, before]) => before > top);
  const words = begun.filter(([it, before]) => before < 280 && it.matches(".prompt, .reply"));
  const [read, before] = [...words, ...begun, ...seen].find(([it]) => area(it).height) || [];
  if (read && scrollY) settle(() => {
    const now = area(read);
    scrollBy(0, now.top - (before + now.height > top ? before : top));
  });
}

function unfoldAll() {
  const folds = all("main details");
  const unfolded = folds.some((fold) => !fold.open);
  hold(() => {
    root.classList.toggle("unfolded", unfolded);
    settle(() => root.classList.toggle("fresh"), 2);
    folds.forEach((fold) => { fold.open = unfolded; });
    all(".long").forEach((entry) => entry.classList.toggle("whole", unfolded));
  });
  const button = one("[data-action='unfold']");
  if (button) button.textContent = unfolded ? "Fold all" : "Unfold all";
  say(`All parts ${unfolded ? "un" : ""}folded`);
}

/* Opens the folds that a place is in, and words that are cut if it is to be `whole`. */
function open(place, whole = true) {
  for (let at = place; at; at = at.parentElement) {
    if (at.tagName === "DETAILS" && at.id !== "outline") at.open = true;
    if (whole && at.matches(".long")) at.classList.add("whole");
  }
}

let aim;
function reveal(id, whole) {
  const target = id && document.getElementById(id);
  if (!target) return;
  open(aim = target, whole);
  open(one(":scope > details", target));
  settle(() => aim.scrollIntoView());
}

/* What comes into sight is only then as tall as it is. */
function settle(show, times = 3) {
  show();
  if (times > 1) requestAnimationFrame(() => requestAnimationFrame(() => settle(show, times - 1)));
}

function copy(text, done, undo = done) {
  const succeed = () => { done(); say("Copied"); setTimeout(undo, 1500); };
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).then(succeed, () => say("Copying failed"));
    return;
  }
  const area = make("textarea", { value: text, className: "hidden" });
  document.body.append(area);
  area.select();
  if (document.execCommand("copy")) succeed();
  area.remove();
}

function watchCode() {
  const observer = new IntersectionObserver((entries) => {
    entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
      const block = entry.target;
      observer.unobserve(block);
      const scrolls = block.scrollWidth > block.clientWidth;
      if (scrolls) block.tabIndex = 0;
      const tool = (words, onclick) => make("button", { className: "copy tool-button", onclick }, words);
      const wrap = tool("Wrap", () => { wrap.ariaPressed = block.parentNode.classList.toggle("wrapped"); });
      const copier = tool("Copy", () => copy(one("code", block).textContent,
        () => { copier.textContent = "Copied"; }, () => { copier.textContent = "Copy"; }));
      wrap.ariaPressed = "false";
      block.after(make("div", { className: "code-tools" }, ...(scrolls ? [wrap] : []), copier));
    });
  });
  /* At once: what was found in what moves is lost. */
  all("pre.code").forEach((block) => {
    const box = make("div", { className: "code-box" });
    block.before(box);
    box.append(block);
    observer.observe(block);
  });
  /* On a phone nearly every block scrolls: none is measured. */
  if (matchMedia("(max-width: 40rem)").matches) all(".code").forEach((block) => { block.tabIndex = 0; });
}

actions.unfold = unfoldAll;
keys.e = { act: unfoldAll, words: "unfold or fold everything" };

const follow = () => { if (!location.hash.startsWith("#/")) reveal(decodeURIComponent(location.hash.slice(1))); };
addEventListener("hashchange", follow);

watchCode();
if (location.hash) follow();

/* While `everyleaf serve --watch` runs: reloads the page when it has changed, and keeps the
   reader's place: what stands at the top of the window, how far down, and open folds. Who is
   at the end of a conversation stays at its end. */
(function () {
  "use strict";

  const KEY = "everyleaf-place:" + location.pathname;
  const RESTING = 30;  // frames
  let tag, delay = 700;

  const folds = () => Array.from(document.querySelectorAll("main details"));
  /* A fold is known by its own id, else by the last id before it and how far it is from it. */
  function nameOf(fold) {
    if (fold.id) return fold.id;
    const entry = fold.closest("[id]");
    return entry ? entry.id + "/" + Array.from(entry.querySelectorAll("details")).indexOf(fold) : "";
  }

  /* How far the end of the page is below the window. */
  const below = () => document.documentElement.scrollHeight - innerHeight - scrollY;
  /* A list that fits the window has its news at the top. */
  const isAtEnd = () => below() < 80 && (scrollY > 0 || document.querySelector("main .turn"));

  function remember() {
    const there = document.elementFromPoint(innerWidth / 2, 90);
    const at = there && there.closest("main [id]");
    const place = {
      id: at ? at.id : "",
      top: at ? at.getBoundingClientRect().top : 0,
      y: scrollY,
      isAtEnd: Boolean(isAtEnd()),
      open: folds().filter((fold) => fold.open).map(nameOf),
      shut: folds().filter((fold) => !fold.open).map(nameOf),
    };
    sessionStorage.setItem(KEY, JSON.stringify(place));
  }

  function restore() {
    const text = sessionStorage.getItem(KEY);
    if (!text) return;
    sessionStorage.removeItem(KEY);
    const place = JSON.parse(text);
    folds().forEach((fold) => {
      const name = nameOf(fold);
      if (place.open.includes(name)) fold.open = true;
      else if (place.shut.includes(name)) fold.open = false;
    });
    /* Until it rests, or the reader moves: what was not drawn yet gets its real height on the way. */
    let still = 0, last;
    const move = () => {
      if (still === RESTING) return;
      const at = document.getElementById(place.id);
      if (place.isAtEnd) scrollBy(0, below());
      else if (at) scrollBy(0, at.getBoundingClientRect().top - place.top);
      else scrollTo(0, place.y);
      const now = scrollY + " " + document.documentElement.scrollHeight;
      still = now === last ? still + 1 : 0;
      last = now;
      requestAnimationFrame(move);
    };
    ["wheel", "touchstart", "pointerdown", "keydown"].forEach((kind) => {
      addEventListener(kind, () => { still = RESTING; }, { once: true, passive: true });
    });
    move();
  }

  async function look() {
    try {
      const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
      const now = answer.ok && answer.headers.get("ETag");
      if (tag && now && now !== tag) {
        remember();
        location.reload();
        return;
      }
      tag = now || tag;
      delay = 700;
    } catch (error) {
      delay = Math.min(delay * 2, 30000);  // The server has gone; it may come back.
    }
    setTimeout(look, delay);
  }

  history.scrollRestoration = "manual";
  if (document.readyState === "complete") restore();
  else addEventListener("load", restore);
  look();
})();

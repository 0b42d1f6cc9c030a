// Keeps a page as it is now: loads its live part again when the service says that it has changed. A hidden tab closes its
// stream, and nothing moves under a field that is being filled or a form that is being sent.
"use strict";

const path = document.querySelector("main").dataset.live;
const state = document.querySelector(".live-state");
let stream = null;

const part = (page) => page.querySelector(".live");

async function load() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return stop("Not live: load the page again.");
  const now = part(document);
  const next = part(new DOMParser().parseFromString(await answer.text(), "text/html"));
  if (next && !now.contains(document.activeElement)) now.replaceWith(next);
}

function stop(why) {
  if (stream) stream.close();
  stream = null;
  state.textContent = why;
}

function follow() {
  stream = new EventSource(path);
  stream.onopen = () => { state.textContent = "Live."; };
  stream.onerror = () => {
    if (stream && stream.readyState === EventSource.CLOSED) stop("Not live: load the page again.");
  };
  stream.addEventListener("changed", load);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return stop("Waits while this tab is hidden.");
  load().then(() => { if (!stream) follow(); });
});
if (!document.hidden) follow();

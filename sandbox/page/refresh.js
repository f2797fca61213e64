/** Updates an open page in place. If JavaScript is disabled, the page reloads instead. */
let source = document.querySelector("main").innerHTML;

async function refresh() {
  if (document.hidden) return;
  const response = await fetch("/").catch(() => undefined);
  document.getElementById("offline").hidden = response !== undefined;
  if (response === undefined) return;

  // Only this part: the browser would reject the style, which has another nonce.
  const [text] = (await response.text()).match(/<main[^]*<\/main>/) ?? [];
  if (text === undefined) return;
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (fresh.innerHTML === source) return;
  source = fresh.innerHTML;

  const shown = document.querySelector("main");
  for (const open of shown.querySelectorAll("details[open]"))
    fresh.querySelector("#" + CSS.escape(open.id))?.setAttribute("open", "");
  const added = [...fresh.querySelectorAll("[data-update]")].filter(
    (update) => !shown.querySelector("#" + CSS.escape(update.id)),
  );
  for (const update of added) update.classList.add("new");
  const focused = document.activeElement.closest("details")?.id;
  shown.replaceWith(document.adoptNode(fresh));
  // The only focusable element in it keeps the keyboard focus.
  if (focused) document.querySelector("#" + CSS.escape(focused) + " summary")?.focus({ preventScroll: true });
  if (added.length > 0)
    document.getElementById("news").textContent = "New update: " + added[0].dataset.update;
}

setInterval(refresh, 2000);

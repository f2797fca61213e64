/** Keeps an open page current in place. Without JavaScript the page reloads itself instead. */
export const refreshScript = `
let source = document.querySelector("main").innerHTML;

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch("/").catch(() => undefined);
  document.getElementById("offline").hidden = answer !== undefined;
  if (answer === undefined) return;

  // Of the answer only this: its style belongs to another nonce, and the browser would complain.
  const [text] = (await answer.text()).match(/<main[^]*<\\/main>/) ?? [];
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
  // The only thing in it that takes the keyboard: whoever stood there doesn't begin at the top again.
  if (focused) document.querySelector("#" + CSS.escape(focused) + " summary")?.focus({ preventScroll: true });
  if (added.length > 0) document.getElementById("news").textContent = "New update: " + added[0].dataset.update;
}

setInterval(refresh, 2000);
`;

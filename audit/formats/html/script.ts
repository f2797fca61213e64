/** Filters the channels. The page is whole without it. */
export const script = `
"use strict";
(() => {
  const form = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const items = [...document.querySelectorAll("[data-tone]")];
  const rows = items.filter((item) => item.localName === "tr");
  const sections = [...document.querySelectorAll("section")].filter((section) => section.querySelector("article[data-tone]"));
  const apply = () => {
    const { text, tone, type } = form.elements;
    const wanted = text.value.trim().toLowerCase();
    for (const item of items) {
      const fits = item.dataset.text.includes(wanted) &&
        (tone.value === "" || tone.value.split(" ").includes(item.dataset.tone)) &&
        (type.value === "" || item.dataset.type === type.value);
      item.hidden = !fits;
    }
    const left = rows.filter((row) => !row.hidden).length;
    shown.value = left === rows.length ? "" : left + " of " + rows.length + " rows";
    for (const section of sections) section.hidden = !section.querySelector("article:not([hidden])");
  };
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();
`;

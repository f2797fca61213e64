/** Filters the channels. The page is complete without it. */
export const filterScript = `
"use strict";
(() => {
  const form = document.getElementById("filter");
  const shown = document.getElementById("shown");
  const items = [...document.querySelectorAll("[data-tone]")];
  const rows = items.filter((item) => item.localName === "tr");
  const sections = [...document.querySelectorAll("section")].filter((section) => section.querySelector("article[data-tone]"));
  const apply = () => {
    const { text, tone, type } = form.elements;
    const query = text.value.trim().toLowerCase();
    for (const item of items) {
      const matches = item.dataset.text.includes(query) &&
        (tone.value === "" || tone.value.split(" ").includes(item.dataset.tone)) &&
        (type.value === "" || item.dataset.type === type.value);
      item.hidden = !matches;
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

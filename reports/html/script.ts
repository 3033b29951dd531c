// The page's only script: a filter of requirements, and opening what a link leads to.

/** Hashed into the page's policy as it stands; contains no `</`. */
export const script = `
(() => {
  const filter = document.getElementById("filter");
  const wanted = document.getElementById("wanted");
  const shown = document.getElementById("shown");
  const buttons = [...filter.querySelectorAll("button")];
  const areas = [...document.querySelectorAll(".area")];
  const rows = [...document.querySelectorAll(".requirement")].map((element) => ({
    element,
    kind: element.dataset.kind,
    text: element.firstElementChild.textContent.toLowerCase(),
  }));
  let kind = "";

  const apply = () => {
    const parts = wanted.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const isShown = (kind === "" || row.kind === kind) && parts.every((part) => row.text.includes(part));
      row.element.hidden = !isShown;
      if (isShown) count += 1;
    }
    for (const area of areas) area.hidden = !area.querySelector(".requirement:not([hidden])");
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
    shown.textContent = count === rows.length ? "" : count + " of " + rows.length + " shown";
  };

  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    const row = target.closest("details");
    if (row && row.hidden) {
      kind = "";
      wanted.value = "";
      apply();
    }
    for (let one = row; one; one = one.parentElement.closest("details")) one.open = true;
    (row || target).scrollIntoView();
  };

  for (const button of buttons)
    button.addEventListener("click", () => {
      kind = button.dataset.kind;
      apply();
    });
  wanted.addEventListener("input", apply);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && link.hash && link.hash === location.hash) reveal();
  });
  addEventListener("hashchange", reveal);
  filter.hidden = false;
  apply();
  reveal();
})();
`;

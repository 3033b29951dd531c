// The page's only script: a filter in each section that has one, copying commands, and opening what a link leads to.

/** Hashed into the page's policy as it stands; contains no `</`. */
export const script = `
(() => {
  const shows = (filter) => {
    const section = filter.closest("section");
    const input = filter.querySelector("input");
    const output = filter.querySelector("output");
    const buttons = [...filter.querySelectorAll("button")];
    const rows = [...section.querySelectorAll(".row, tbody tr")].map((element) => ({
      element,
      kind: element.dataset.kind,
      text: (element.matches("details") ? element.firstElementChild : element).textContent.toLowerCase(),
    }));
    const areas = [...section.querySelectorAll(".area")];
    const groups = [...section.querySelectorAll("details[data-open]")];
    const has = (element) => element.querySelector(":is(.row, tbody tr):not([hidden])") !== null;
    let kind = "";

    const apply = () => {
      const parts = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
      const isAll = kind === "" && parts.length === 0;
      let count = 0;
      for (const row of rows) {
        const isShown = (kind === "" || row.kind === kind) && parts.every((part) => row.text.includes(part));
        row.element.hidden = !isShown;
        if (isShown) count += 1;
      }
      for (const area of areas) area.hidden = !has(area);
      for (const group of groups) {
        group.hidden = !has(group);
        group.open = isAll ? group.dataset.open === "true" : !group.hidden;
      }
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
      output.textContent = isAll ? "" : count + " of " + rows.length + " shown";
    };

    const choose = (chosen) => {
      kind = chosen;
      apply();
    };
    for (const button of buttons) button.addEventListener("click", () => choose(button.dataset.kind));
    input.addEventListener("input", apply);
    filter.hidden = false;
    return () => {
      input.value = "";
      choose("");
    };
  };

  const resets = new Map([...document.querySelectorAll(".filter")].map((one) => [one.closest("section"), shows(one)]));

  // Made here: without script there is no button that does nothing.
  for (const command of document.querySelectorAll(".command")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-live", "polite");
    command.before(button);
  }

  // Not every browser gives a page opened from a file its clipboard.
  const copiesSelected = (command) => {
    getSelection().selectAllChildren(command);
    return document.execCommand("copy");
  };

  const copy = async (button) => {
    const command = button.nextElementSibling;
    const isCopied = await (navigator.clipboard
      ? navigator.clipboard.writeText(command.textContent).then(() => true, () => copiesSelected(command))
      : copiesSelected(command));
    button.textContent = isCopied ? "Copied" : "Select and copy by hand";
    setTimeout(() => (button.textContent = "Copy"), 3000);
  };

  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    const row = target.closest("details, tr");
    if (row && row.hidden) resets.get(row.closest("section:has(> .filter)"))();
    for (let one = target.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    (row || target).scrollIntoView();
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".copy");
    if (button) copy(button);
    const link = event.target.closest("a");
    if (link && link.hash && link.hash === location.hash) reveal();
  });
  addEventListener("hashchange", reveal);
  reveal();
})();
`;

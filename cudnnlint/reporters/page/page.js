"use strict";
(() => {
  const root = document.documentElement;
  const form = document.getElementById("filter");
  const items = [...document.querySelectorAll("[data-item]")].map((node) => ({
    node,
    words: (node.textContent + " " + (node.closest("[data-file]")?.querySelector("summary").textContent ?? "")).toLowerCase(),
    verdicts: node.dataset.verdict ? node.dataset.verdict.split(" ") : [],
    codes: node.dataset.codes === undefined ? null : node.dataset.codes.split(" "),
  }));
  const files = [...document.querySelectorAll("[data-file]")].map((node) => ({
    node,
    items: [...node.querySelectorAll("[data-item]")],
    words: node.querySelector("summary").textContent.toLowerCase(),
  }));

  function wanted() {
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    return {
      words: form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean),
      code: form.elements.code?.value ?? "",
      verdicts: new Set(boxes.filter((box) => box.checked).map((box) => box.value)),
      all: boxes.every((box) => box.checked),
    };
  }

  function filter() {
    const want = wanted();
    const free = !want.words.length && !want.code && want.all;
    for (const item of items) {
      const told = want.all || !item.verdicts.length || item.verdicts.some((one) => want.verdicts.has(one));
      const caused = !want.code || (item.codes !== null && item.codes.includes(want.code));
      item.node.hidden = !(told && caused && want.words.every((word) => item.words.includes(word)));
    }
    let shown = 0;
    for (const file of files) {
      const some = file.items.some((node) => !node.hidden);
      const named = !file.items.length && !want.code && want.words.every((word) => file.words.includes(word));
      file.node.hidden = !free && !some && !named;
      shown += !file.node.hidden;
    }
    form.elements.shown.value = free ? "" : `${shown} of ${files.length} files`;
  }

  function dark() {
    const chosen = root.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function reveal() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    for (let node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
    }
    if (target) target.scrollIntoView();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);
  form.elements.theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
  });
  addEventListener("hashchange", reveal);
  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing) {
      event.preventDefault();
      form.elements.words.focus();
    }
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const node of closed) node.open = true;
  });
  addEventListener("afterprint", () => {
    for (const node of closed) node.open = false;
  });
  reveal();
})();
